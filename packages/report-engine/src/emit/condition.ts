import type { TypedExpression } from '@portal-embed/report-model';

import type { Bound, Condition } from '../plan/plan.ts';
import type { Comparison, Dialect, Narrowing } from './dialect.ts';
import { join, sql, type Sql } from './sql.ts';

/** Writes the operands of a condition. */
export interface Operands {
  emit: (expression: TypedExpression) => Sql;
  /** See `Dialect.narrow`. By default, all columns are compared as `emit` reads them. */
  narrow?: (column: string, comparison: Comparison) => Narrowing | undefined;
}

/** The conditions that a condition combines with AND. */
export const listParts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.parts.flatMap(listParts) : [condition];

/** Whether a condition only compares stored columns, which cannot fail and can use an index. */
export function comparesColumns(dialect: Dialect, condition: Condition): boolean {
  switch (condition.kind) {
    case 'every':
    case 'none':
    case 'unknown':
      return true;
    case 'and':
    case 'or':
      return condition.parts.every((part) => comparesColumns(dialect, part));
    case 'not':
      return comparesColumns(dialect, condition.part);
    case 'in':
    case 'range':
    case 'null': {
      const { kind, type } = condition.operand;
      return kind === 'column' && !dialect.failingTypes?.has(type);
    }
    case 'place':
    default:
      return false;
  }
}

/** Writes a condition in the three-valued logic of SQL. */
export function emitCondition(dialect: Dialect, operands: Operands, condition: Condition): Sql {
  const emitPart = (part: Condition) => emitCondition(dialect, operands, part);
  switch (condition.kind) {
    case 'every':
      return sql`true`;
    case 'none':
      return sql`false`;
    case 'unknown':
      return sql`CAST(NULL AS ${dialect.typeOf('boolean')})`;
    case 'and':
      return sql`(${join(condition.parts.map(emitPart), ' AND ')})`;
    case 'or':
      return sql`(${join(condition.parts.map(emitPart), ' OR ')})`;
    case 'not': {
      // A stored infinity is read as null, and its negated comparison must be null as well.
      const { emit } = operands;
      return sql`(NOT ${emitCondition(dialect, { emit }, condition.part)})`;
    }
    case 'null':
      return sql`(${operands.emit(condition.operand)} IS NULL)`;
    case 'in': {
      const { operand, values, ignoreCase } = condition;
      const narrowing = ignoreCase
        ? undefined
        : narrowColumn(operands, operand, { type: operand.type, values });
      return combine(narrowing, () =>
        dialect.isIn(operands.emit(operand), values, operand.type, ignoreCase),
      );
    }
    case 'place': {
      const { operand, grain, values } = condition;
      return dialect.isIn(dialect.placeOf(operands.emit(operand), grain), values, 'integer');
    }
    case 'range':
      return emitRange(dialect, operands, condition);
    default:
      return forbid(condition);
  }
}

const forbid = (condition: never): never => {
  throw new Error(`Unknown condition ${JSON.stringify(condition)}.`);
};

function emitRange(
  dialect: Dialect,
  operands: Operands,
  { operand, from, to }: Extract<Condition, { kind: 'range' }>,
): Sql {
  const narrowings = [
    from && narrowColumn(operands, operand, { end: 'from', ...from }),
    to && narrowColumn(operands, operand, { end: 'to', ...to }),
  ].filter((narrowing) => narrowing !== undefined);
  const narrowing = narrowings.length > 0 && {
    condition: join(
      narrowings.map(({ condition }) => condition),
      ' AND ',
    ),
    isExact: narrowings.length === 2 && narrowings.every(({ isExact }) => isExact),
  };
  return combine(narrowing || undefined, () => {
    const read = dialect.sortable(operands.emit(operand), operand.type);
    const compare = (sign: Sql, { type, value, isIncluded }: Bound) =>
      sql`${read} ${sign}${isIncluded ? sql`=` : sql``} ${dialect.literal(value, type)}`;
    return join(
      [...(from ? [compare(sql`>`, from)] : []), ...(to ? [compare(sql`<`, to)] : [])],
      ' AND ',
    );
  });
}

const narrowColumn = (
  { narrow }: Operands,
  operand: TypedExpression,
  comparison: Comparison,
): Narrowing | undefined =>
  operand.kind === 'column' ? narrow?.(operand.name, comparison) : undefined;

/** Compares the stored column if possible, and the value that is read from it unless that is exact. */
function combine(narrowing: Narrowing | undefined, compareRead: () => Sql): Sql {
  if (!narrowing) return sql`(${compareRead()})`;
  const { condition, isExact } = narrowing;
  return isExact ? sql`(${condition})` : sql`(${condition} AND ${compareRead()})`;
}

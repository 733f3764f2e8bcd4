import { isCyclic, type Grain, type TypedExpression } from '@portal-embed/report-model';

import { keyTypeOf, type Bound, type Condition } from '../plan/plan.ts';
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
    case 'match':
      return condition.operands.every((operand) => isComparable(dialect, operand));
    case 'in':
      return condition.split === undefined && isComparable(dialect, condition.operand);
    case 'range':
    case 'null':
      return isComparable(dialect, condition.operand);
    case 'grain':
    default:
      return false;
  }
}

const isComparable = (dialect: Dialect, { kind, type }: TypedExpression): boolean =>
  kind === 'column' && !dialect.failingTypes?.has(type);

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
    case 'match':
      return emitMatch(dialect, operands, condition);
    case 'in': {
      const { operand, values, ignoreCase, split } = condition;
      if (split !== undefined) {
        const text = operands.emit(operand);
        const isWanted = (part: Sql) => dialect.isIn(part, values, operand.type, ignoreCase);
        return sql`(CASE WHEN ${text} IS NOT NULL THEN ${dialect.hasPart(text, split, isWanted)} END)`;
      }
      const narrowing = ignoreCase
        ? undefined
        : narrowColumn(operands, operand, { type: operand.type, values });
      return combine(narrowing, () =>
        dialect.isIn(operands.emit(operand), values, operand.type, ignoreCase),
      );
    }
    case 'grain': {
      const { operand, grain, values } = condition;
      const key = emitGrain(dialect, operands.emit(operand), grain);
      return dialect.isIn(key, values, keyTypeOf({ expression: operand, grain }));
    }
    case 'range':
      return emitRange(dialect, operands, condition);
    default:
      return forbid(condition);
  }
}

/** Writes the start of the period of a time, or its position in a longer period. */
export const emitGrain = (dialect: Dialect, time: Sql, grain: Grain): Sql =>
  isCyclic(grain) ? dialect.placeOf(time, grain) : dialect.startOf(time, grain);

/** Maximum number of values of a column that narrow the rows of a match. */
const narrowingValues = 1_000;

/** SQL's own comparison of rows is false where one value is null and another one differs. */
function emitMatch(
  dialect: Dialect,
  { emit, narrow }: Operands,
  { operands, columns }: Extract<Condition, { kind: 'match' }>,
): Sql {
  const values = operands.map(emit);
  const areKnown = join(
    values.map((value) => sql`${value} IS NOT NULL`),
    ' AND ',
  );
  const types = operands.map(({ type }) => type);
  const isMatch = sql`CASE WHEN ${areKnown} THEN ${dialect.isRowIn(values, columns, types)} END`;
  // They are false where a match is unknown, which only a negation can tell apart.
  const narrowings = operands.flatMap((operand, index) => {
    const distinct = [...new Set(columns[index])];
    return narrow && dialect.narrowsRows && distinct.length <= narrowingValues
      ? [emitCondition(dialect, { emit, narrow }, { kind: 'in', operand, values: distinct })]
      : [];
  });
  return sql`(${join([...narrowings, isMatch], ' AND ')})`;
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

import type { TypedExpression } from '@portal-embed/report-model';

import type { Bound, Condition } from '../plan/plan.ts';
import type { Dialect } from './dialect.ts';
import { join, sql, type Sql } from './sql.ts';

/** Writes a condition in the three-valued logic of SQL. */
export function emitCondition(
  dialect: Dialect,
  emit: (expression: TypedExpression) => Sql,
  condition: Condition,
): Sql {
  const emitPart = (part: Condition) => emitCondition(dialect, emit, part);
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
    case 'not':
      return sql`(NOT ${emitPart(condition.part)})`;
    case 'null':
      return sql`(${emit(condition.operand)} IS NULL)`;
    case 'in': {
      const { operand, values, ignoreCase } = condition;
      return sql`(${dialect.isIn(emit(operand), values, operand.type, ignoreCase)})`;
    }
    case 'range':
      return emitRange(dialect, emit, condition);
    default:
      return forbid(condition);
  }
}

const forbid = (condition: never): never => {
  throw new Error(`Unknown condition ${JSON.stringify(condition)}.`);
};

function emitRange(
  dialect: Dialect,
  emit: (expression: TypedExpression) => Sql,
  { operand, from, to }: Extract<Condition, { kind: 'range' }>,
): Sql {
  const compared = dialect.sortable(emit(operand), operand.type);
  const compare = (sign: Sql, { type, value, isIncluded }: Bound) =>
    sql`${compared} ${sign}${isIncluded ? sql`=` : sql``} ${dialect.literal(value, type)}`;
  const ends = [...(from ? [compare(sql`>`, from)] : []), ...(to ? [compare(sql`<`, to)] : [])];
  return sql`(${join(ends, ' AND ')})`;
}

import type { TypedExpression } from '@portal-embed/report-model';

import type { Bound, Condition } from '../plan/plan.ts';
import type { Dialect } from './dialect.ts';
import { bind, join, sql, type Sql } from './sql.ts';

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
      return sql`CAST(NULL AS BOOLEAN)`;
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
      const fold = (value: Sql) => (ignoreCase ? emitFolded(value) : value);
      return sql`(${fold(emit(operand))} IN ${dialect.list(values, operand.type, fold)})`;
    }
    case 'range':
      return emitRange(dialect, emit, condition);
    default:
      return forbid(condition);
  }
}

/** As `emailKey` folds: engines make the letters of two users one, since they write İ as i. */
const emitFolded = (value: Sql): Sql =>
  sql`lower(replace(${value}, ${bind('\u0130')}, ${bind('i\u0307')}))`;

const forbid = (condition: never): never => {
  throw new Error(`Unknown condition ${JSON.stringify(condition)}.`);
};

function emitRange(
  dialect: Dialect,
  emit: (expression: TypedExpression) => Sql,
  { operand, from, to }: Extract<Condition, { kind: 'range' }>,
): Sql {
  const compare = (sign: Sql, { type, value, isIncluded }: Bound) =>
    sql`${emit(operand)} ${sign}${isIncluded ? sql`=` : sql``} ${dialect.literal(value, type)}`;
  const ends = [...(from ? [compare(sql`>`, from)] : []), ...(to ? [compare(sql`<`, to)] : [])];
  return sql`(${join(ends, ' AND ')})`;
}

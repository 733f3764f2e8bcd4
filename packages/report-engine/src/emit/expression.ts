import {
  aggregates,
  type Aggregate,
  type Operator,
  type RowFunction,
  type TypedExpression,
} from '@portal-embed/report-model';

import type { Dialect } from './dialect.ts';
import { join, sql, type Sql } from './sql.ts';

export type Call = Extract<TypedExpression, { kind: 'call' }>;
type Operation = Extract<TypedExpression, { kind: 'operation' }>;

/** SQL for the leaves of an expression. */
export interface Leaves {
  column: (name: string) => Sql;
  /** Absent in expressions of one row. */
  aggregate?: (call: Call & { function: Aggregate }) => Sql;
  /** The date that `today()` returns. */
  today?: string | undefined;
}

const isAggregate = (call: Call): call is Call & { function: Aggregate } =>
  (aggregates as readonly string[]).includes(call.function);

/** Writes an expression. Every operation is in parentheses, so operator precedence has no effect. */
export function emitExpression(dialect: Dialect, leaves: Leaves, expression: TypedExpression): Sql {
  const emit = (part: TypedExpression) => emitExpression(dialect, leaves, part);
  if (expression.kind === 'literal') {
    const { type, value } = expression;
    return value === null
      ? sql`CAST(NULL AS ${dialect.typeOf(type)})`
      : dialect.literal(value, type);
  }
  if (expression.kind === 'column') return leaves.column(expression.name);
  if (expression.kind === 'cast') {
    const { operand, type } = expression;
    return dialect.cast(emit(operand), operand.type, type);
  }
  if (expression.kind === 'call') return emitCall(dialect, leaves, expression);
  if (expression.kind === 'operation')
    return sql`(${emitOperation(dialect, expression, expression.operands.map(emit))})`;
  const branches = expression.branches.map(
    ({ when, value }) => sql`WHEN ${emit(when)} THEN ${emit(value)}`,
  );
  const otherwise = expression.otherwise ? sql` ELSE ${emit(expression.otherwise)}` : sql``;
  return sql`CASE ${join(branches, ' ')}${otherwise} END`;
}

function emitCall(dialect: Dialect, leaves: Leaves, call: Call): Sql {
  if (isAggregate(call)) {
    if (!leaves.aggregate) throw new Error('An expression of one row contains an aggregate.');
    return leaves.aggregate(call);
  }
  const name = call.function as RowFunction;
  if (name === 'today') {
    if (leaves.today === undefined) throw new Error('The date of today is not known.');
    return dialect.literal(leaves.today, 'date');
  }
  const values = call.arguments.map((argument) => emitExpression(dialect, leaves, argument));
  const types = call.arguments.map(({ type }) => type);
  return dialect.call[name](values, types);
}

const comparisons: ReadonlySet<Operator> = new Set(['<', '<=', '>', '>=', 'between']);

function emitOperation(
  dialect: Dialect,
  { operator, operands: typed }: Operation,
  emitted: readonly Sql[],
): Sql {
  const operands = comparisons.has(operator)
    ? emitted.map((value, index) => dialect.sortable(value, typed[index]?.type ?? 'text'))
    : emitted;
  const [first = sql``, second = sql``, ...others] = operands;
  if (operator === '/') return sql`${first} / nullif(${second}, 0)`;
  if (operator === '%') return dialect.remainder(first, sql`nullif(${second}, 0)`);
  if (operator === 'negate') return sql`-${first}`;
  if (operator === 'not') return sql`NOT ${first}`;
  if (operator === 'is null') return sql`${first} IS NULL`;
  if (operator === 'in') return dialect.isOneOf(first, [second, ...others]);
  if (operator === 'between') return sql`${first} BETWEEN ${second} AND ${join(others)}`;
  return join(operands, ` ${operator} `);
}

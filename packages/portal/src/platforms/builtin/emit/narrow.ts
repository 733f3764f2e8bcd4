import type { TypedExpression } from '@portal-embed/report-model';

import type { Bound, Condition } from '../plan/plan.ts';
import type { Comparison } from './dialect.ts';
import { join, sql, type Sql } from './sql.ts';

/** Writes the comparison of a column as it is: see `Dialect.narrow`. */
export type NarrowColumn = (name: string, comparison: Comparison) => Sql | undefined;

/**
 * Writes a condition that all rows of another one meet, so that the engine can use an index on a column
 * that must be converted before it is compared. Returns `undefined` if there is no such condition.
 */
export function emitNarrowing(narrow: NarrowColumn, condition: Condition): Sql | undefined {
  const parts = (list: readonly Condition[]) => list.map((part) => emitNarrowing(narrow, part));
  switch (condition.kind) {
    case 'and':
      return joinAll(parts(condition.parts), ' AND ');
    case 'or': {
      const all = parts(condition.parts);
      return all.includes(undefined) ? undefined : joinAll(all, ' OR ');
    }
    case 'in': {
      const { operand, values, ignoreCase } = condition;
      const name = columnOf(operand);
      return name === undefined || ignoreCase
        ? undefined
        : narrow(name, { type: operand.type, texts: values });
    }
    case 'range': {
      const { operand, from, to } = condition;
      const name = columnOf(operand);
      if (name === undefined) return undefined;
      const write = (end: 'from' | 'to', bound: Bound | undefined) =>
        bound && narrow(name, { end, ...bound, text: bound.value });
      return joinAll([write('from', from), write('to', to)], ' AND ');
    }
    case 'every':
    case 'none':
    case 'unknown':
    case 'not':
    case 'null':
    default:
      return undefined;
  }
}

const columnOf = (operand: TypedExpression): string | undefined =>
  operand.kind === 'column' ? operand.name : undefined;

function joinAll(parts: readonly (Sql | undefined)[], separator: string): Sql | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : sql`(${join(known, separator)})`;
}

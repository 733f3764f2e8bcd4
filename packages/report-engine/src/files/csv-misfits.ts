import type { Misfits } from './csv-hints.ts';
import { readAggregates, textOf, type Table } from './csv-table.ts';
import type { Form } from './csv-types.ts';

/** Counts the values, and finds those that do not have the form. */
export async function findMisfits(
  table: Table,
  name: string,
  { matches }: Form,
): Promise<{ values: number; misfits?: Misfits }> {
  const misfit = `v IS NOT NULL AND (${matches('v')}) IS NOT TRUE`;
  const [values, count, row, value] = await readAggregates(
    table.connection,
    `(SELECT row_number() OVER () AS n, ${textOf(table, name)} AS v FROM ${table.table})`,
    [
      'count(v)',
      `count(*) FILTER (${misfit})`,
      `min(n) FILTER (${misfit})`,
      `arg_min(v, n) FILTER (${misfit})`,
    ],
  );
  if (row === null) return { values: Number(values) };
  const place = await table.locate(Number(row), name);
  const shown = String(value).slice(0, 60);
  return { values: Number(values), misfits: { count: Number(count), place, value: shown } };
}

import { isNumeric } from '@portal-embed/report-model';

import { quoteText } from './csv-sql.ts';
import { quoteName, readAggregates } from './csv-table.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { DataSummary, FileColumn, RepeatedKey, SummarizeTask } from './tasks.ts';

/** Keys of a repeated key column that are named. */
const namedKeys = 3;

/** Counts the rows of stored versions, and adds up their columns of numbers. */
export async function summarize(task: SummarizeTask): Promise<DataSummary> {
  const { sources, columns, time } = task;
  const paths = sources.map(quoteText);
  const connection = await openRestricted(paths);
  const table = `read_parquet([${paths.join(', ')}], union_by_name = true)`;
  const numbers = columns.filter(({ type }) => isNumeric(type));
  const span = time === undefined ? [] : ['min', 'max'].map((edge) => edgeOf(edge, time));
  const read = (toSum: (column: FileColumn) => string) =>
    readAggregates(connection, table, ['count(*)', ...span, ...numbers.map(toSum)]);
  // A sum of long decimals can have more digits than DuckDB keeps.
  const [rows, ...cells] = await read(sumOf).catch(() => read(sumRounded));
  const [from, to] = cells.splice(0, span.length);
  const repeated: RepeatedKey[] = [];
  for (const column of task.keys) {
    const key = `lower(trim(CAST(${quoteName(column)} AS VARCHAR)))`;
    const found = await connection.runAndReadAll(
      `SELECT k, count(*) OVER () FROM (SELECT ${key} AS k FROM ${table})
        WHERE k <> '' GROUP BY k HAVING count(*) > 1 ORDER BY k LIMIT ${namedKeys}`,
    );
    const keys = found.getRowsJson();
    if (keys[0])
      repeated.push({ column, count: Number(keys[0][1]), keys: keys.map(([k]) => k as string) });
  }
  return {
    rows: Number(rows),
    totals: Object.fromEntries(
      numbers.map(({ name, type }, at) => {
        const total = cells[at] as string | null;
        return [name, type === 'number' && total !== null ? cutDigits(total) : total];
      }),
    ),
    span: typeof from === 'string' ? { from, to: to as string } : null,
    repeated,
  };
}

const edgeOf = (edge: string, time: string) => `CAST(${edge}(${quoteName(time)}) AS VARCHAR)`;

/** A sum of rounded numbers has 15 reliable digits; those behind them depend on the order of the rows. */
const cutDigits = (total: string) => String(Number(Number(total).toPrecision(15)));

const sumOf = ({ name, type }: FileColumn): string =>
  type === 'number' ? sumRounded({ name }) : `CAST(sum(${quoteName(name)}) AS VARCHAR)`;

/** Reports take infinite values and NaN for null. */
const sumRounded = ({ name }: Pick<FileColumn, 'name'>): string => {
  const value = `CAST(${quoteName(name)} AS DOUBLE)`;
  return `CAST(fsum(${value}) FILTER (isfinite(${value})) AS VARCHAR)`;
};

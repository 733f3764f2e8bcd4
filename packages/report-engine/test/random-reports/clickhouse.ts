import type { Chdb } from '../support/chdb.ts';
import { writeDecimal } from './fields.ts';
import { managers } from './look-ups.ts';
import type { Cell, Row } from './rows.ts';

/** `Clock` has no time zone, and ClickHouse has no such type: the dataset declares what the text is. */
const types: Record<keyof Row, string> = {
  Region: 'LowCardinality(Nullable(String))',
  Owner: 'Nullable(String)',
  Big: 'Nullable(Int64)',
  N: 'Nullable(Int32)',
  Price: 'Nullable(Decimal(18, 4))',
  X: 'Nullable(Float64)',
  Day: 'Nullable(Date32)',
  Clock: 'Nullable(String)',
  At: `Nullable(DateTime64(3, 'Asia/Tokyo'))`,
  Open: 'Nullable(Bool)',
  Note: 'Nullable(String)',
  Amount: 'LowCardinality(Nullable(String))',
  Stamp: 'Nullable(String)',
};

/** ClickHouse's dates are from 1900 to 2299. */
export const toStorable = (row: Row): Row => ({
  ...row,
  Day: row.Day === 'infinity' ? null : row.Day === '1899-12-31' ? '1900-01-01' : row.Day,
});

const escapes: Record<string, string> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

function write(name: string, cell: Cell): string {
  if (cell === null) return '\\N';
  if (name === 'At')
    return new Date(Number(cell) + 9 * 3_600_000).toISOString().replace('T', ' ').slice(0, 23);
  if (name === 'Price') return writeDecimal(cell as bigint);
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? String(cell) : String(cell).replace('Infinity', 'inf');
  return String(cell).replaceAll(/[\t\n\r\\]/g, (each) => escapes[each] ?? each);
}

const writeRow = (row: object) =>
  Object.entries(row)
    .map(([name, cell]) => write(name, cell as Cell))
    .join('\t');

/** Creates the tables `orders` and `managers` with the rows of the random reports. */
export async function createTables({ run }: Chdb, rows: readonly Row[]): Promise<void> {
  const columns = Object.entries(types).map(([name, type]) => `"${name}" ${type}`);
  await run(`CREATE TABLE orders (${columns.join(', ')}) ENGINE = MergeTree ORDER BY tuple()`);
  const names = Object.keys(types) as (keyof Row)[];
  const ordered = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
  await run(`INSERT INTO orders FORMAT TabSeparated\n${ordered.map(writeRow).join('\n')}`);
  await run(
    `CREATE TABLE managers (email Nullable(String), team Nullable(String), region Nullable(String), n Nullable(Int64), list Nullable(String), boss Nullable(String)) ENGINE = MergeTree ORDER BY tuple()`,
  );
  await run(`INSERT INTO managers FORMAT TabSeparated\n${managers.map(writeRow).join('\n')}`);
}

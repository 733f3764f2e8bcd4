import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';

import { textPools } from './text-functions.ts';

/** Four decimal places, as in the column `Price`. */
export const scale = 10_000n;

/** A value of a field: integers are bigint, decimals bigint in units of 0.0001, times ISO 8601 text. */
export type Cell = string | number | bigint | boolean | null;

/** One row of the file. `At` is an instant, as milliseconds since 1970. */
export interface Row {
  Region: string | null;
  Owner: string | null;
  Big: bigint | null;
  N: bigint | null;
  Price: bigint | null;
  X: number | null;
  Day: string | null;
  Clock: string | null;
  At: number | null;
  Open: boolean | null;
  Note: string | null;
  Amount: string | null;
  Stamp: string | null;
}

export const pools = {
  Region: [
    'West',
    'west',
    ' West',
    'East',
    '',
    'é',
    'e\u0301',
    'Z',
    'ß',
    'ꙮ',
    '🦀',
    "O'Hara",
    '"quoted"',
    'Other',
    'null',
    '012',
  ],
  Owner: ['ann@x.example', 'ANN@x.example', 'bob@x.example', 'Äl@x.example', 'äl@X.example', ''],
  Big: [
    -(2n ** 63n),
    2n ** 63n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    0n,
    1n,
    -1n,
    42n,
  ],
  N: [0n, 1n, 2n, 3n, 4n, 5n],
  Price: [0n, 1n, 99_999_999n, -15_000n, 12_345_678_901_234n, 10_000n, 5_000n],
  X: [0, -0, 0.5, 1.5, -2.5, 0.1, 0.25, 1234.5678, -99_999.25, NaN, Infinity, -Infinity],
  Day: [
    '1899-12-31',
    '1900-02-28',
    '1900-03-01',
    '1999-12-31',
    '2000-02-29',
    '2023-01-01',
    '2023-12-31',
    '2024-01-01',
    '2024-02-29',
    '2024-03-31',
    '2024-12-30',
    'infinity',
  ],
  Clock: [
    '1969-12-31T23:59:59.999999',
    '2024-03-30T23:00:00',
    '2024-03-31T00:00:00',
    '2024-03-31T02:30:00',
    '2024-03-31T02:30:00.000001',
    '2024-03-31T23:59:59.5',
    '2024-04-01T00:00:00',
    '2024-10-27T02:30:00',
  ],
  /** Around changes to and from daylight saving in the time zones of the test. */
  At: [
    '1969-12-31T23:30:00Z',
    '2024-03-10T06:59:59Z',
    '2024-03-10T07:00:00Z',
    '2024-03-31T00:59:59Z',
    '2024-03-31T01:00:00Z',
    '2024-10-26T22:30:00Z',
    '2024-10-27T00:30:00Z',
    '2024-10-27T01:30:00Z',
    '2024-11-03T05:30:00Z',
    '2024-11-03T06:30:00Z',
    '2024-12-31T23:59:59Z',
    '2025-04-05T14:30:00Z',
  ].map((text) => Date.parse(text)),
  Open: [true, false],
  ...textPools,
};

export const timeZones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];

const value = <Value>(pool: readonly Value[]) =>
  fc.option(fc.constantFrom(...pool), { freq: 8, nil: null });

const row: fc.Arbitrary<Row> = fc.record({
  Region: value(pools.Region),
  Owner: value(pools.Owner),
  Big: value(pools.Big),
  N: value(pools.N),
  Price: value(pools.Price),
  X: value(pools.X),
  Day: value(pools.Day),
  Clock: value(pools.Clock),
  At: value(pools.At),
  Open: value(pools.Open),
  Note: value(pools.Note),
  Amount: value(pools.Amount),
  Stamp: value(pools.Stamp),
});

export const createRows = (count: number, seed: number): Row[] =>
  fc.sample(row, { numRuns: count, seed });

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

function write(cell: Cell, type: string): string {
  if (cell === null) return 'NULL';
  if (type === 'DECIMAL(18, 4)') return `CAST(${cell} AS DECIMAL(30, 0)) * 0.0001`;
  if (typeof cell === 'bigint') return `CAST(${quote(String(cell))} AS BIGINT)`;
  if (type === 'TIMESTAMPTZ') return `make_timestamptz(${Number(cell) * 1_000})`;
  if (typeof cell === 'number') return `CAST(${quote(String(cell))} AS DOUBLE)`;
  return typeof cell === 'boolean' ? String(cell) : `CAST(${quote(cell)} AS ${type})`;
}

const types: Record<keyof Row, string> = {
  Region: 'VARCHAR',
  Owner: 'VARCHAR',
  Big: 'BIGINT',
  N: 'INTEGER',
  Price: 'DECIMAL(18, 4)',
  X: 'DOUBLE',
  Day: 'DATE',
  Clock: 'TIMESTAMP',
  At: 'TIMESTAMPTZ',
  Open: 'BOOLEAN',
  Note: 'VARCHAR',
  Amount: 'VARCHAR',
  Stamp: 'VARCHAR',
};

/** Writes rows to a Parquet file. */
export async function writeRows(rows: readonly Row[], file: string): Promise<void> {
  const names = Object.keys(types) as (keyof Row)[];
  const lines = rows.map(
    (each) => `(${names.map((name) => write(each[name], types[name])).join(', ')})`,
  );
  const columns = names.map((name) => `CAST("${name}" AS ${types[name]}) AS "${name}"`);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT ${columns.join(', ')} FROM (VALUES ${lines.join(', ')})
      AS t(${names.map((name) => `"${name}"`).join(', ')})) TO ${quote(file)} (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
}

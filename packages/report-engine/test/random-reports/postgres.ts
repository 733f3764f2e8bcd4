import pg from 'pg';

import { writeDecimal } from './fields.ts';
import { managers } from './look-ups.ts';
import type { Cell, Row } from './rows.ts';

const types: Record<keyof Row, string> = {
  Region: 'text',
  Owner: 'character varying(40)',
  Big: 'bigint',
  N: 'integer',
  Price: 'numeric(18, 4)',
  X: 'double precision',
  Day: 'date',
  Clock: 'timestamp',
  At: 'timestamptz',
  Open: 'boolean',
  Note: 'text',
  Amount: 'character varying',
  Stamp: 'text',
};

function write(name: keyof Row, cell: Cell): string | null {
  if (cell === null) return null;
  if (name === 'At') return new Date(Number(cell)).toISOString();
  return typeof cell === 'bigint' && name === 'Price' ? writeDecimal(cell) : String(cell);
}

/** Creates the tables `orders` and `managers` with the rows of the random reports. */
export async function createTables(url: string, rows: readonly Row[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const names = Object.keys(types) as (keyof Row)[];
  const columns = names.map((name) => `"${name}" ${types[name]}`);
  await client.query(`CREATE TABLE orders (${columns.join(', ')})`);
  // The driver would write times in the time zone of this machine.
  await client.query(
    `INSERT INTO orders SELECT * FROM unnest(${names.map((name, index) => `$${index + 1}::text[]::${types[name]}[]`).join(', ')})`,
    names.map((name) => rows.map((row) => write(name, row[name]))),
  );
  await client.query(
    'CREATE TABLE managers (email text, team text, region text, n bigint, list text, boss text)',
  );
  for (const manager of managers)
    await client.query(
      'INSERT INTO managers VALUES ($1, $2, $3, $4, $5, $6)',
      Object.values(manager),
    );
  await client.end();
}

import fs from 'node:fs';

import pg from 'pg';

import { openEmbedded } from '../../src/db/embedded/embedded.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const migrations = new URL('../../migrations/', import.meta.url);

/** A database with the migrations before `next`, such as `0006`, and the rows that `inserts` adds. */
export async function createDatabaseBefore(next: string, inserts: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true });
  const { databaseUrl, dataDir } = database;
  const { pool, close } = databaseUrl
    ? openClient(databaseUrl)
    : await openEmbedded(dataDir, { types: pg.types });
  await pool.query(`CREATE TABLE schema_migrations (
    name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
  const applied = fs.readdirSync(migrations).filter((name) => name.endsWith('.sql') && name < next);
  for (const name of applied.toSorted())
    await pool.query(fs.readFileSync(new URL(name, migrations), 'utf8'));
  await pool.query('INSERT INTO schema_migrations (name) SELECT unnest($1::text[])', [applied]);
  await pool.query(inserts);
  await close();
  return database;
}

function openClient(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 1 });
  return { pool, close: () => pool.end() };
}

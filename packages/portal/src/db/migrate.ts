import fs from 'node:fs/promises';

import type pg from 'pg';

import { liftLimit } from './watchdog.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** Any number, as long as every instance of the portal uses the same one. */
const advisoryLock = 4_207_315_011;

/**
 * Applies the migrations that the database has not seen yet, all of them or none. Instances that
 * start together take turns. Returns the names of those it applied.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Another instance's turn, or a large table's new index, takes as long as it takes.
    liftLimit(client);
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const applied = new Set(
      (await client.query<{ name: string }>('SELECT name FROM schema_migrations')).rows.map(
        (row) => row.name,
      ),
    );
    const files = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) {
      await client.query(await fs.readFile(new URL(name, folder), 'utf8'));
      await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
    }
    await client.query('COMMIT');
    return missing;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

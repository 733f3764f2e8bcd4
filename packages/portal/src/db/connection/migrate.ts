import fs from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { findMissing, migrationsFolder, readApplied, readOldestRelease } from './schema-version.ts';
import { liftLimit } from './watchdog.ts';

/** An arbitrary number, the same for every instance. Backups take this lock shared. */
export const migrationLock = 4_207_315_011;

/** How often a migration is tried while requests hold a table that it changes. */
const maxAttempts = 120;

/**
 * So many attempts wait less than `deadlock_timeout` (1 s), after which PostgreSQL would end a request
 * that waits for the migration. Under a load of writes that never pauses, only the others get through.
 */
const politeAttempts = 20;

/**
 * Applies the missing migrations, all or none, and returns their names. Instances that start together
 * take turns.
 *
 * @param pause waits before the next attempt
 */
export async function migrate(
  pool: Pick<pg.Pool, 'connect'>,
  pause: () => Promise<unknown> = () => delay(250),
): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    try {
      return await applyMissing(client, attempt <= politeAttempts ? '500ms' : '1s');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      const isTableHeld = (error as { code?: unknown }).code === '55P03';
      if (!isTableHeld || attempt === maxAttempts) throw error;
    } finally {
      client.release();
    }
    await pause();
  }
}

async function applyMissing(client: pg.PoolClient, maxWait: string): Promise<string[]> {
  await client.query('BEGIN');
  // Another instance's migration, or a new index of a large table, can take minutes.
  liftLimit(client);
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  // While a schema change waits for a table, all requests for the table wait behind it.
  await client.query(`SET LOCAL lock_timeout = '${maxWait}'`);
  await createMigrationsTable(client);
  const missing = await findMissing(await readApplied(client));
  await runMigrations(client, missing);
  await client.query('COMMIT');
  return missing;
}

/** A connection whose transaction applies migrations. */
interface Migrated {
  query: (text: string, values?: unknown[]) => Promise<unknown>;
}

export async function createMigrationsTable(client: Migrated): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
}

/** Applies and records migrations in the transaction of `client`. */
export async function runMigrations(client: Migrated, names: readonly string[]): Promise<void> {
  const oldestReleases: (string | null)[] = [];
  for (const name of names) {
    const migration = await fs.readFile(new URL(name, migrationsFolder), 'utf8');
    oldestReleases.push(readOldestRelease(migration));
    await client.query(migration);
  }
  // Last, since one of the migrations adds the column.
  if (names.length > 0)
    await client.query(
      `INSERT INTO schema_migrations (name, oldest_release)
       SELECT * FROM unnest($1::text[], $2::text[])`,
      [names, oldestReleases],
    );
}

import type { Readable } from 'node:stream';

import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { migrationLock } from '../../db/connection/migrate.ts';
import { connectAlone } from '../../db/connection/postgres.ts';
import { findApplied } from '../applied.ts';
import type { DataFiles, HeldFiles } from '../files/data-files.ts';
import { listNamedVersions } from '../files/named.ts';
import { addStored } from '../files/stored.ts';
import { copySettings, type SnapshotSession } from '../session.ts';
import { formatCopied } from '../tables.ts';

/** Attempts, of 5 seconds each, to lock all organizations. An apply holds its lock for less than these two minutes. */
const maxAttempts = 24;

export interface PostgresSnapshot {
  moment: Date;
  rows: SnapshotSession;
  files: HeldFiles;
}

/**
 * Opens the database as it is now, with its data files. Requests go on meanwhile; only migrations wait
 * until it is closed.
 *
 * @throws `schema_outdated`, `portal_outdated`
 */
export async function openPostgresSnapshot(
  url: string,
  options: {
    connectLimitMs: number;
    dataFiles: DataFiles;
    /** `PORTAL_FILES`. Default: the storage that `file_storage` records. */
    storage?: 'folder' | 'database' | undefined;
  },
): Promise<PostgresSnapshot> {
  const client = await connectAlone(url, options.connectLimitMs);
  try {
    const rows = toSnapshotSession(client);
    await client.query(copySettings);
    // Before the transaction, whose first statement fixes what it sees.
    await client.query('SELECT pg_advisory_lock_shared($1)', [migrationLock]);
    await findApplied(rows);
    const guard = await connectAlone(url, options.connectLimitMs);
    try {
      await holdApplies(guard);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows: times } = await client.query<{ moment: Date }>(
        'SELECT clock_timestamp() AS moment',
      );
      const held = await options.dataFiles.hold(await listNamedVersions(rows));
      const files = await addStored(rows, held, options.storage);
      return { moment: times[0]!.moment, rows, files };
    } finally {
      await guard.end();
    }
  } catch (error) {
    await client.end();
    throw error;
  }
}

const toSnapshotSession = (client: pg.Client): SnapshotSession => ({
  query: async (text, values) => (await client.query(text, values)).rows,
  copyOut: (table): AsyncIterable<Buffer> =>
    client.query(copyTo(`COPY ${formatCopied(table)} TO STDOUT`)) as Readable,
  close: () => client.end(),
});

/**
 * Waits for the applies that run and keeps new ones from installing files until the connection ends: an
 * apply locks its organization, installs its files and commits.
 */
async function holdApplies(client: pg.Client): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query('BEGIN');
      // Applies of all other organizations wait meanwhile.
      await client.query("SET LOCAL lock_timeout = '5s'");
      await client.query('SELECT FROM organizations ORDER BY id FOR SHARE');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as { code?: unknown }).code !== '55P03' || attempt === maxAttempts) throw error;
    }
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { from as copyFrom } from 'pg-copy-streams';

import { migrationLock } from '../../db/connection/migrate.ts';
import { connectAlone } from '../../db/connection/postgres.ts';
import { requireServer } from '../../db/connection/server-check.ts';
import { requireUnicode } from '../../db/connection/unicode.ts';
import { BackupError } from '../backup-error.ts';
import { copySettings, type RestoreSession } from '../session.ts';
import { formatCopied } from '../tables.ts';

/**
 * Opens a transaction in an empty database.
 *
 * @throws `BackupError` if the database has tables of a portal, or the role may not create tables
 */
export async function openPostgresTarget(
  url: string,
  options: { connectLimitMs: number },
): Promise<RestoreSession> {
  const client = await connectAlone(url, options.connectLimitMs);
  let isOpen = true;
  const close = async (statement: string) => {
    if (!isOpen) return;
    isOpen = false;
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  try {
    await requireServer(client);
    await requireUnicode(client);
    await client.query(copySettings);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const { rows } = await client.query<{ has_tables: boolean; may_create: boolean }>(`
      SELECT EXISTS (SELECT FROM pg_class WHERE relkind IN ('r', 'p')
          AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        ) AS has_tables,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create`);
    if (rows[0]!.has_tables)
      throw new BackupError(
        'not_empty',
        'The database already has tables. Nothing was changed. Create an empty database, such as with `CREATE DATABASE`, and use its address.',
      );
    if (!rows[0]!.may_create)
      throw new BackupError(
        'not_possible',
        'The role of the database address may not create tables in this database. Use the role that runs `portal migrate`, and give it its rights there first, such as with deploy/database.sql.',
      );
  } catch (error) {
    await close('ROLLBACK').catch(() => {});
    throw error;
  }
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    copyIn: async (table, text) => {
      const copying = client.query(copyFrom(`COPY ${formatCopied(table)} FROM STDIN`));
      await pipeline(Readable.from(text), copying);
      return copying.rowCount;
    },
    commit: () => close('COMMIT'),
    rollback: () => close('ROLLBACK').catch(() => {}),
  };
}

import type { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';

import { copySettings, type RestoreSession, type SnapshotSession } from '../session.ts';
import { formatCopied, type Table } from '../tables.ts';

const pageBytes = 8_192;

/** Pages of a table that one COPY reads: 1 MB, because PGlite keeps the result of a COPY in memory. */
const copiedPages = 128;

/** Opens a session of PGlite, which has only one. */
export async function openPgliteSession(
  pglite: PGlite,
): Promise<Pick<SnapshotSession, 'query' | 'copyOut'> & Pick<RestoreSession, 'copyIn'>> {
  const client = new pg.Client(createPgConfig(pglite));
  await client.connect();
  await client.query(copySettings);

  async function* copyOut(table: Table) {
    const name = pg.escapeIdentifier(table.name);
    const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const { rows } = await client.query<{ pages: number }>(
      `SELECT (pg_relation_size($1::regclass) / ${pageBytes})::int4 AS pages`,
      [name],
    );
    const { pages } = rows[0]!;
    // In the order of the pages, as PostgreSQL copies a table.
    for (let page = 0; page < pages; page += copiedPages) {
      const { blob } = await pglite.query(
        `COPY (SELECT ${columns} FROM ${name}
          WHERE ctid >= '(${page},0)' AND ctid < '(${page + copiedPages},0)') TO '/dev/blob'`,
      );
      if (blob) yield Buffer.from(await blob.arrayBuffer());
    }
  }

  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    copyOut,
    copyIn: async (table, text) => {
      const blob = new Blob([...text] as Buffer[]);
      const copy = `COPY ${formatCopied(table)} FROM '/dev/blob'`;
      return (await pglite.query(copy, [], { blob })).affectedRows ?? 0;
    },
  };
}

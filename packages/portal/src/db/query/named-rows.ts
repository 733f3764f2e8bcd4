import { sql } from 'kysely';

import { PortalError } from '../../errors.ts';
import type { Database } from '../connection/open.ts';

/** Tables of rows with a name that is unique in the organization. */
type NamedTable = 'groups' | 'companies';

interface NamedRow {
  organizationId: string;
  id: string;
  name: string;
}

/** Inserts the row; returns whether its name was new in the organization. */
export async function insertNamed(
  db: Database,
  table: NamedTable,
  { organizationId, id, name }: NamedRow,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO ${sql.table(table)} (organization_id, id, name)
    VALUES (${organizationId}, ${id}, ${name}) ON CONFLICT DO NOTHING`.execute(db);
  return numAffectedRows === 1n;
}

export async function findName(
  db: Database,
  table: NamedTable,
  { organizationId, id }: Omit<NamedRow, 'name'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(db);
  return rows[0]?.name;
}

/**
 * Renames the row if it has the name `baseName`.
 *
 * @throws `stale_version` if it has another name, and the given errors
 */
export async function renameNamed(
  db: Database,
  table: NamedTable,
  { organizationId, id, name, baseName }: NamedRow & { baseName: string },
  errors: { taken: () => PortalError; unknown: () => PortalError },
): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(table)} SET name = ${name}
    WHERE organization_id = ${organizationId} AND id = ${id} AND name = ${baseName}`
    .execute(db)
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? errors.taken() : error;
    });
  if (numAffectedRows === 1n) return;
  if ((await findName(db, table, { organizationId, id })) === undefined) throw errors.unknown();
  throw new PortalError('stale_version', `Someone else has changed the name "${baseName}".`, {
    advice: 'Load it again, then repeat your change.',
  });
}

const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === '23505';

/** Deletes the row with its links, and returns its name. */
export async function deleteNamed(
  db: Database,
  table: NamedTable,
  { organizationId, id }: Omit<NamedRow, 'name'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    DELETE FROM ${sql.table(table)} WHERE organization_id = ${organizationId} AND id = ${id}
    RETURNING name`.execute(db);
  return rows[0]?.name;
}

import { sql } from 'kysely';

import type { Database } from '../connection/open.ts';

type LinkTable =
  | 'group_members'
  | 'company_users'
  | 'report_users'
  | 'report_groups'
  | 'rls_role_users'
  | 'rls_role_groups'
  | 'workspace_contributors'
  | 'dataset_workspaces';

/** The side of a link with one id. */
interface One {
  column: string;
  id: string;
}

/** The side of a link with many ids. */
interface Many {
  column: string;
  ids: readonly string[];
}

/** Links `one` with each of `many`. Existing links stay. */
export async function insertLinks(
  db: Database,
  table: LinkTable,
  organizationId: string,
  one: One,
  many: Many,
): Promise<void> {
  await sql`
    INSERT INTO ${sql.table(table)} (organization_id, ${sql.ref(one.column)}, ${sql.ref(many.column)})
    SELECT ${organizationId}::uuid, ${one.id}::uuid, id
    FROM unnest(${many.ids}::uuid[]) AS id
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Removes the links of `one` with each of `many`. Missing links are ignored. */
export async function deleteLinks(
  db: Database,
  table: LinkTable,
  organizationId: string,
  one: One,
  many: Many,
): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId} AND ${sql.ref(one.column)} = ${one.id}
      AND ${sql.ref(many.column)} = ANY(${many.ids}::uuid[])`.execute(db);
}

/** Returns which of `ids` exist and are not archived, and locks them against deletion until the transaction ends. */
export async function lockExisting(
  db: Database,
  table: 'groups' | 'companies' | 'reports',
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)}
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      ${table === 'reports' ? sql`AND archived_at IS NULL` : sql``}
    ORDER BY id FOR KEY SHARE`.execute(db);
  return new Set(rows.map((row) => row.id));
}

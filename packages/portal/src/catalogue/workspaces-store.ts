import { sql } from 'kysely';

import type { AdminWorkspace } from '#admin/requests';

import type { Database } from '../db/connection/open.ts';

export async function listWorkspaces(
  db: Database,
  organizationId: string,
): Promise<AdminWorkspace[]> {
  const { rows } = await sql<AdminWorkspace>`
    SELECT id, name,
      (SELECT count(*) FROM reports
        WHERE organization_id = workspaces.organization_id AND workspace_id = workspaces.id
          AND archived_at IS NULL) AS reports,
      coalesce((SELECT json_agg(holder ORDER BY holder.email) FROM (
        SELECT users.id, users.name, users.email, users.role = 4 AS "isActive"
        FROM workspace_contributors AS link
        JOIN users ON users.organization_id = link.organization_id AND users.id = link.user_id
        WHERE link.organization_id = workspaces.organization_id AND workspace_id = workspaces.id
      ) AS holder), '[]') AS contributors
    FROM workspaces WHERE organization_id = ${organizationId}
    ORDER BY name COLLATE "C"`.execute(db);
  return rows;
}

/** Returns the workspace, locked until the transaction ends. */
export const lockWorkspace = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('workspaces')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .select(['id', 'name'])
    .forUpdate()
    .executeTakeFirst();

/** Whether reports are in the workspace, also archived ones, which can return. */
export async function hasReports(
  db: Database,
  organizationId: string,
  workspaceId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('reports')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function deleteWorkspace(
  db: Database,
  organizationId: string,
  id: string,
): Promise<void> {
  await db
    .deleteFrom('workspaces')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export const lockUserById = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('users')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .select(['id', 'email', 'role'])
    .forKeyShare()
    .executeTakeFirst();

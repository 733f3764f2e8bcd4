import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** Workspaces to which the caller is limited; `null`: the caller is not limited. */
export type WorkspaceIds = ReadonlySet<string> | null;

const isOneOf = (column: string, workspaceIds: ReadonlySet<string>) =>
  sql<boolean>`${sql.ref(column)} = ANY(${[...workspaceIds]}::uuid[])`;

/** SQL: whether a report is in one of the workspaces. */
export const isReportIn = (workspaceIds: WorkspaceIds) =>
  workspaceIds === null ? sql<boolean>`true` : isOneOf('reports.workspace_id', workspaceIds);

/** SQL: whether a dataset has a report in one of the workspaces, or was opened to one of them. */
export const isDatasetIn = (workspaceIds: WorkspaceIds) =>
  workspaceIds === null
    ? sql<boolean>`true`
    : sql<boolean>`(
      EXISTS (
        SELECT FROM reports
        WHERE reports.organization_id = datasets.organization_id
          AND reports.dataset_id = datasets.id AND reports.archived_at IS NULL
          AND ${isReportIn(workspaceIds)}
      ) OR EXISTS (
        SELECT FROM dataset_workspaces AS opened
        WHERE opened.organization_id = datasets.organization_id
          AND opened.dataset_id = datasets.id AND ${isOneOf('opened.workspace_id', workspaceIds)}
      )
    )`;

/** The flags of a user, and the workspaces to which they contribute. */
export async function findAuthor(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<{
  canCreate: boolean;
  canEdit: boolean;
  canOverwrite: boolean;
  workspaceIds: string[];
}> {
  const user = await db
    .selectFrom('users')
    .select(['can_create_report', 'can_edit_report', 'can_overwrite_report'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst();
  const workspaces = await db
    .selectFrom('workspace_contributors')
    .select('workspace_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  return {
    canCreate: Boolean(user?.can_create_report),
    canEdit: Boolean(user?.can_edit_report),
    canOverwrite: Boolean(user?.can_overwrite_report),
    workspaceIds: workspaces.map(({ workspace_id }) => workspace_id),
  };
}

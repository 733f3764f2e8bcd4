import type { Database } from '../db/connection/open.ts';

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

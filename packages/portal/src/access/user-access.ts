import { sql } from 'kysely';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import type { Named } from '../users/people.ts';

/** Something that a user has by an own link, by groups, or by both. */
interface Sourced extends Named {
  isDirect: boolean;
  groups: Named[];
}

export interface UserAccess {
  groups: Named[];
  /** The first of the reports that the user may open, by name. */
  reports: (Sourced & { workspaceName: string })[];
  totalReports: number;
  roles: (Sourced & { datasetName: string })[];
  /** Whether the user can sign in to the administration pages. */
  signIn: 'none' | 'invited' | 'active';
}

/** Reports that a page shows of one user. */
const maxReports = 500;

/** What a user may open and which rows they see, each with where it comes from. */
export async function findUserAccess(ctx: Context, userId: string): Promise<UserAccess> {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  const { rows } = await sql<UserAccess>`
    WITH joined AS (
      SELECT groups.id, groups.name FROM group_members AS member JOIN groups
        ON groups.organization_id = member.organization_id AND groups.id = group_id
      WHERE member.organization_id = ${organizationId} AND user_id = ${userId}
    ), report_links AS (
      SELECT report_id AS id, NULL::uuid AS group_id, NULL AS group_name FROM report_users
      WHERE organization_id = ${organizationId} AND user_id = ${userId}
      UNION ALL
      SELECT report_id, joined.id, joined.name FROM joined JOIN report_groups
        ON organization_id = ${organizationId} AND group_id = joined.id
    ), role_links AS (
      SELECT role_id AS id, NULL::uuid AS group_id, NULL AS group_name FROM rls_role_users
      WHERE organization_id = ${organizationId} AND user_id = ${userId}
      UNION ALL
      SELECT role_id, joined.id, joined.name FROM joined JOIN rls_role_groups
        ON organization_id = ${organizationId} AND group_id = joined.id
    ), readable AS (
      SELECT reports.id, reports.name, workspaces.name AS "workspaceName", ${sources}
      FROM report_links JOIN reports ON reports.organization_id = ${organizationId}
        AND reports.id = report_links.id AND archived_at IS NULL
      JOIN workspaces ON workspaces.organization_id = ${organizationId}
        AND workspaces.id = workspace_id
      GROUP BY reports.id, reports.name, workspaces.name
    ), held AS (
      SELECT rls_roles.id, rls_roles.name, datasets.name AS "datasetName", ${sources}
      FROM role_links JOIN rls_roles ON rls_roles.organization_id = ${organizationId}
        AND rls_roles.id = role_links.id
      JOIN datasets ON datasets.organization_id = ${organizationId}
        AND datasets.id = dataset_id AND archived_at IS NULL
      GROUP BY rls_roles.id, rls_roles.name, datasets.name
    )
    SELECT
      (SELECT coalesce(json_agg(joined ORDER BY name COLLATE "C"), '[]') FROM joined) AS groups,
      (
        SELECT coalesce(json_agg(listed), '[]') FROM (
          SELECT * FROM readable ORDER BY name COLLATE "C", id LIMIT ${maxReports}
        ) AS listed
      ) AS reports,
      (SELECT count(*) FROM readable) AS "totalReports",
      (
        SELECT coalesce(json_agg(held ORDER BY "datasetName" COLLATE "C", name), '[]') FROM held
      ) AS roles,
      coalesce((
        SELECT CASE
          WHEN password_hash IS NOT NULL OR EXISTS (
            SELECT FROM users WHERE organization_id = ${organizationId} AND id = ${userId}
              AND directory_ad_user IS NOT NULL
          ) THEN 'active'
          WHEN EXISTS (
            SELECT FROM admin_invitations WHERE account_id = admin_accounts.id AND expires_at > now()
          ) THEN 'invited'
        END
        FROM admin_accounts WHERE organization_id = ${organizationId} AND user_id = ${userId}
      ), 'none') AS "signIn"`.execute(db);
  return rows[0]!;
}

const sources = sql`bool_or(group_id IS NULL) AS "isDirect", coalesce(
  json_agg(json_build_object('id', group_id, 'name', group_name) ORDER BY group_name COLLATE "C")
    FILTER (WHERE group_id IS NOT NULL), '[]'
) AS groups`;

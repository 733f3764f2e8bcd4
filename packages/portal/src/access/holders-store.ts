import { sql } from 'kysely';

import type { Holder, ReportRole } from '#admin/requests';

import type { Database } from '../db/connection/open.ts';
import { contains, containsIndexed, combineFilters } from '../db/query/filters.ts';

/** The e-mail of a user, or the name of a group. */
export async function findHolder(
  db: Database,
  organizationId: string,
  kind: 'user' | 'group',
  id: string,
): Promise<string | undefined> {
  const found =
    kind === 'user'
      ? await db
          .selectFrom('users')
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .select('email as name')
          .executeTakeFirst()
      : await db
          .selectFrom('groups')
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .select('name')
          .executeTakeFirst();
  return found?.name;
}

/** Choices that a search offers of each kind. */
const offered = 10;

/** Of more matches than these, the first are found sooner by reading all users in their order. */
const fewMatches = 5_000;

/** The first groups and users whose name or e-mail contains a text. */
export async function searchHolders(
  db: Database,
  organizationId: string,
  search: string,
): Promise<Holder[]> {
  const named = (column: string) =>
    search ? combineFilters([containsIndexed(organizationId, column, search)]) : sql`true`;
  const selectMatches = (column: string) => sql`
    SELECT id, name, email, email_key FROM users
    WHERE organization_id = ${organizationId} AND ${named(column)} LIMIT ${fewMatches + 1}`;
  const isNamed = search
    ? sql`(${contains('name', search)} OR ${contains('email', search)})`
    : sql`true`;
  const { rows } = await sql<Holder>`
    WITH matches AS MATERIALIZED (
      (${selectMatches('email')}) UNION (${selectMatches('name')})
    )
    (SELECT 'group' AS kind, id, name, NULL AS email FROM groups
      WHERE organization_id = ${organizationId} AND ${search ? contains('name', search) : sql`true`}
      ORDER BY name COLLATE "C" LIMIT ${offered})
    UNION ALL
    (SELECT 'user', id, name, email FROM (
      (SELECT * FROM matches WHERE (SELECT count(*) FROM matches) <= ${fewMatches}
        ORDER BY email_key LIMIT ${offered})
      UNION ALL
      (SELECT id, name, email, email_key FROM users
        WHERE organization_id = ${organizationId} AND ${isNamed}
          AND (SELECT count(*) FROM matches) > ${fewMatches}
        ORDER BY email_key LIMIT ${offered})
    ) AS users ORDER BY email_key)`.execute(db);
  return rows;
}

export const findRole = (db: Database, organizationId: string, roleId: string) =>
  db
    .selectFrom('rls_roles')
    .where('organization_id', '=', organizationId)
    .where('id', '=', roleId)
    .select(['name', 'dataset_id'])
    .executeTakeFirst();

/** Users that are listed of each role. */
const listedUsers = 50;

/** Lists the roles of a dataset with their holders, who may be able to open one of its reports. */
export async function listRolesOfDataset(
  db: Database,
  organizationId: string,
  { datasetId, reportId }: { datasetId: string; reportId: string },
): Promise<ReportRole[]> {
  const { rows } = await sql<ReportRole>`
    SELECT id, name,
      (SELECT count(*) FROM rls_role_users AS link
        WHERE link.organization_id = role.organization_id AND role_id = role.id) AS "userCount",
      coalesce((SELECT json_agg(holder ORDER BY holder.email) FROM (
        SELECT 'user' AS kind, users.id, users.name, users.email, EXISTS (
          SELECT FROM readable_reports
          WHERE readable_reports.organization_id = users.organization_id
            AND readable_reports.user_id = users.id AND report_id = ${reportId}
        ) AS "canOpen"
        FROM rls_role_users AS link
        JOIN users ON users.organization_id = link.organization_id AND users.id = link.user_id
        WHERE link.organization_id = role.organization_id AND role_id = role.id
        ORDER BY users.email_key LIMIT ${listedUsers}
      ) AS holder), '[]') AS users,
      coalesce((SELECT json_agg(holder ORDER BY holder.name) FROM (
        SELECT 'group' AS kind, groups.id, groups.name, NULL AS email FROM rls_role_groups AS link
        JOIN groups ON groups.organization_id = link.organization_id AND groups.id = link.group_id
        WHERE link.organization_id = role.organization_id AND role_id = role.id
      ) AS holder), '[]') AS groups
    FROM rls_roles AS role
    WHERE organization_id = ${organizationId} AND dataset_id = ${datasetId}
    ORDER BY name COLLATE "C"`.execute(db);
  return rows;
}

/** Holders of a role that are named. */
const namedHolders = 3;

/** The roles of a dataset with the numbers of those who hold them by an own link. */
export const countHolders = (db: Database, organizationId: string, datasetId: string) =>
  db
    .selectFrom('rls_roles as role')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', datasetId)
    .select(['id', 'name'])
    .select([
      sql<number>`(SELECT count(*) FROM rls_role_users AS link
        WHERE link.organization_id = role.organization_id AND role_id = role.id)`.as('users'),
      sql<number>`(SELECT count(*) FROM rls_role_groups AS link
        WHERE link.organization_id = role.organization_id AND role_id = role.id)`.as('groups'),
      sql<string[]>`coalesce((SELECT json_agg(name ORDER BY kind, name) FROM (
        SELECT 0 AS kind, groups.name FROM rls_role_groups AS link
        JOIN groups ON groups.organization_id = link.organization_id AND groups.id = link.group_id
        WHERE link.organization_id = role.organization_id AND role_id = role.id
        UNION ALL
        SELECT 1 AS kind, users.name FROM rls_role_users AS link
        JOIN users ON users.organization_id = link.organization_id AND users.id = link.user_id
        WHERE link.organization_id = role.organization_id AND role_id = role.id
        ORDER BY kind, name LIMIT ${namedHolders}
      ) AS holder), '[]')`.as('firstHolders'),
    ])
    .orderBy(sql`name COLLATE "C"`)
    .execute();

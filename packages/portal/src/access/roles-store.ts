import type { PagedList } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { contains } from '../db/query/filters.ts';
import { listRows } from '../db/query/lists.ts';
import { linksToRead, requireSmallPage, type PageRequest } from '../db/query/paging.ts';

/** Loads roles with their links, up to a limit: see `loadUsers`. */
async function loadRoles(
  db: Database,
  organizationId: string,
  ids: string[],
  links: number | null,
) {
  const { rows } = await sql<{
    id: string;
    name: string;
    dataset_id: string;
    users: string[];
    groups: string[];
    user_emails: string[];
  }>`
    WITH held AS (
      SELECT role_id, json_agg(user_id ORDER BY user_id) AS users,
        json_agg(email ORDER BY user_id) AS user_emails
      FROM (
        SELECT role_id, user_id, email FROM rls_role_users AS link
        JOIN users ON users.organization_id = link.organization_id AND users.id = link.user_id
        WHERE link.organization_id = ${organizationId} AND role_id = ANY(${ids}::uuid[])
        LIMIT ${links}
      ) AS links GROUP BY role_id
    ), held_by_groups AS (
      SELECT role_id, json_agg(group_id ORDER BY group_id) AS groups FROM (
        SELECT role_id, group_id FROM rls_role_groups
        WHERE organization_id = ${organizationId} AND role_id = ANY(${ids}::uuid[])
        LIMIT ${links}
      ) AS links GROUP BY role_id
    )
    SELECT id, name, dataset_id, coalesce(users, '[]') AS users, coalesce(groups, '[]') AS groups,
      coalesce(user_emails, '[]') AS user_emails
    FROM rls_roles
    LEFT JOIN held ON held.role_id = rls_roles.id
    LEFT JOIN held_by_groups ON held_by_groups.role_id = rls_roles.id
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`.execute(db);
  return rows;
}

export type RoleRow = Awaited<ReturnType<typeof loadRoles>>[number];

export function listRoles(
  db: Database,
  organizationId: string,
  filter: { datasetId?: string | undefined } & PageRequest,
): Promise<PagedList<RoleRow>> {
  return listRows(db, filter, {
    organizationId,
    table: 'rls_roles',
    filters: [
      { condition: isOfCurrentDataset(organizationId) },
      ...(filter.datasetId ? [{ condition: sql<SqlBool>`dataset_id = ${filter.datasetId}` }] : []),
    ],
    order: [{ column: 'dataset_id' }, { column: 'name' }],
    load: async (snapshot, ids) => {
      const roles = await loadRoles(snapshot, organizationId, ids, linksToRead(filter));
      requireSmallPage(
        filter,
        // A user has two links: an id and an e-mail.
        roles.flatMap((role) => [role.users, role.user_emails, role.groups]),
      );
      return roles;
    },
  });
}

export interface DatasetRow {
  id: string;
  /** `null` for a dataset without a content file. */
  slug: string | null;
  name: string;
}

export function listRoleDatasets(db: Database, organizationId: string): Promise<DatasetRow[]> {
  return db
    .selectFrom('datasets')
    .select(['id', 'slug', 'name'])
    .where('organization_id', '=', organizationId)
    .where('archived_at', 'is', null)
    .orderBy('slug')
    .orderBy('id')
    .execute();
}

/** Roles of an archived dataset stay, but are neither listed nor changed. */
const isOfCurrentDataset = (organizationId: string): RawBuilder<SqlBool> => sql`dataset_id NOT IN (
  SELECT id FROM datasets WHERE organization_id = ${organizationId} AND archived_at IS NOT NULL
)`;

/** Returns the role's id, locked against deletion until the transaction ends. */
export async function lockRole(
  db: Database,
  organizationId: string,
  role: { datasetId: string; name: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('rls_roles')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('dataset_id', '=', role.datasetId)
    .where('name', '=', role.name)
    .where(isOfCurrentDataset(organizationId))
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

export interface NamedRole {
  id: string;
  name: string;
  datasetId: string;
  datasetName: string;
}

const selectNamed = (db: Database, organizationId: string) =>
  db
    .selectFrom('rls_roles')
    .innerJoin('datasets', (join) =>
      join
        .onRef('datasets.organization_id', '=', 'rls_roles.organization_id')
        .onRef('datasets.id', '=', 'rls_roles.dataset_id'),
    )
    .where('rls_roles.organization_id', '=', organizationId)
    .where('archived_at', 'is', null)
    .select([
      'rls_roles.id',
      'rls_roles.name',
      'datasets.id as datasetId',
      'datasets.name as datasetName',
    ]);

/** The first roles, by dataset and name, whose name or dataset contains a text. */
export const searchRoles = (
  db: Database,
  organizationId: string,
  { search, limit }: { search: string; limit: number },
): Promise<NamedRole[]> =>
  selectNamed(db, organizationId)
    .where((is) => is.or([contains('rls_roles.name', search), contains('datasets.name', search)]))
    .orderBy(sql`datasets.name COLLATE "C"`)
    .orderBy('rls_roles.name')
    .limit(limit)
    .execute();

export const findRole = (
  db: Database,
  organizationId: string,
  id: string,
): Promise<NamedRole | undefined> =>
  selectNamed(db, organizationId).where('rls_roles.id', '=', id).executeTakeFirst();

/** Roles that members of a group have. */
export const listGroupRoles = (
  db: Database,
  organizationId: string,
  groupId: string,
): Promise<NamedRole[]> =>
  selectNamed(db, organizationId)
    .where(
      sql<SqlBool>`rls_roles.id IN (SELECT role_id FROM rls_role_groups
        WHERE organization_id = ${organizationId} AND group_id = ${groupId})`,
    )
    .orderBy(sql`datasets.name COLLATE "C"`)
    .orderBy('rls_roles.name')
    .execute();

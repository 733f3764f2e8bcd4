import type { Page } from '@portal-embed/contract';
import { sql } from 'kysely';

import type { Database } from '../db/open.ts';
import { readPage, type PageRequest } from '../db/paging.ts';
import type { RowPredicate } from './predicate.ts';

const selectRoles = (db: Database, organizationId: string) =>
  db
    .selectFrom('rls_roles')
    .where('rls_roles.organization_id', '=', organizationId)
    .select(['rls_roles.id', 'rls_roles.name', 'rls_roles.dataset_id'])
    .select([
      sql<string[]>`ARRAY(
        SELECT user_id FROM rls_role_users
        WHERE organization_id = rls_roles.organization_id AND role_id = rls_roles.id
        ORDER BY user_id
      )`.as('users'),
      sql<string[]>`ARRAY(
        SELECT group_id FROM rls_role_groups
        WHERE organization_id = rls_roles.organization_id AND role_id = rls_roles.id
        ORDER BY group_id
      )`.as('groups'),
      sql<string[]>`ARRAY(
        SELECT users.email FROM rls_role_users
        JOIN users ON users.organization_id = rls_role_users.organization_id
          AND users.id = rls_role_users.user_id
        WHERE rls_role_users.organization_id = rls_roles.organization_id
          AND rls_role_users.role_id = rls_roles.id
        ORDER BY user_id
      )`.as('user_emails'),
    ]);

export type RoleRow = Awaited<
  ReturnType<ReturnType<typeof selectRoles>['executeTakeFirstOrThrow']>
>;

export function listRoles(
  db: Database,
  organizationId: string,
  filter: { datasetId?: string | undefined } & PageRequest,
): Promise<Page<RoleRow>> {
  let query = selectRoles(db, organizationId)
    .orderBy('dataset_id')
    .orderBy(sql`name COLLATE "C"`)
    .orderBy('id');
  if (filter.datasetId) query = query.where('dataset_id', '=', filter.datasetId);
  return readPage(query, filter);
}

/** The role's id, held against deletion until the transaction ends. */
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
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

export async function insertRole(
  db: Database,
  role: {
    organizationId: string;
    id: string;
    datasetId: string;
    name: string;
    predicate: RowPredicate;
  },
): Promise<void> {
  await db
    .insertInto('rls_roles')
    .values({
      organization_id: role.organizationId,
      id: role.id,
      dataset_id: role.datasetId,
      name: role.name,
      predicate: JSON.stringify(role.predicate),
    })
    .execute();
}

/** Predicates of the dataset's roles, each with whether this user has the role. */
export async function listRolePredicates(
  db: Database,
  reader: { organizationId: string; userId: string; datasetId: string },
): Promise<{ predicate: unknown; held: boolean }[]> {
  return db
    .selectFrom('rls_roles')
    .where('organization_id', '=', reader.organizationId)
    .where('dataset_id', '=', reader.datasetId)
    .select([
      'predicate',
      sql<boolean>`EXISTS (
        SELECT FROM held_rls_roles
        WHERE organization_id = rls_roles.organization_id AND role_id = rls_roles.id
          AND user_id = ${reader.userId}
      )`.as('held'),
    ])
    .execute();
}

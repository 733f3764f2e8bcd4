import type { EndpointRequest, PagedList } from '@portal-embed/contract';
import { sql, type Insertable, type Selectable } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { toColumns } from '../db/query/column-map.ts';
import { containsIndexed, emailKey } from '../db/query/filters.ts';
import { listRows } from '../db/query/lists.ts';
import { linksToRead, requireSmallPage, type PageRequest } from '../db/query/paging.ts';
import type { Schema } from '../db/schema.ts';
import { userColumns, type UserRow, type UserValues } from './user-columns.ts';

/**
 * Loads users with their reports, groups and companies, each in one aggregate over at most as many links as a
 * page may have.
 */
async function loadUsers(
  db: Database,
  organizationId: string,
  ids: string[],
  links: number | null,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    WITH readable AS (
      SELECT user_id, json_agg(report_id ORDER BY report_id) AS reports FROM (
        SELECT user_id, report_id FROM readable_reports
        WHERE organization_id = ${organizationId} AND user_id = ANY(${ids}::uuid[])
        LIMIT ${links}
      ) AS links GROUP BY user_id
    ), joined AS (
      SELECT user_id, json_agg(group_id ORDER BY group_id) AS groups FROM (
        SELECT user_id, group_id FROM group_members
        WHERE organization_id = ${organizationId} AND user_id = ANY(${ids}::uuid[])
        LIMIT ${links}
      ) AS links GROUP BY user_id
    ), labeled AS (
      SELECT user_id, json_agg(company_id ORDER BY company_id) AS companies FROM (
        SELECT user_id, company_id FROM company_users
        WHERE organization_id = ${organizationId} AND user_id = ANY(${ids}::uuid[])
        LIMIT ${links}
      ) AS links GROUP BY user_id
    )
    SELECT users.*, coalesce(reports, '[]') AS reports, coalesce(groups, '[]') AS groups,
      coalesce(companies, '[]') AS companies
    FROM users
    LEFT JOIN readable ON readable.user_id = users.id
    LEFT JOIN joined ON joined.user_id = users.id
    LEFT JOIN labeled ON labeled.user_id = users.id
    WHERE users.organization_id = ${organizationId} AND users.id = ANY(${ids}::uuid[])`.execute(db);
  return rows;
}

export function listUsers(
  db: Database,
  organizationId: string,
  filter: { name?: string | undefined; email?: string | undefined } & PageRequest,
): Promise<PagedList<UserRow>> {
  return listRows(db, filter, {
    organizationId,
    table: 'users',
    filters: [
      ...(filter.name ? [containsIndexed(organizationId, 'name', filter.name)] : []),
      ...(filter.email ? [containsIndexed(organizationId, 'email', filter.email)] : []),
    ],
    order: [{ column: 'email_key' }],
    load: async (snapshot, ids) => {
      const users = await loadUsers(snapshot, organizationId, ids, linksToRead(filter));
      requireSmallPage(
        filter,
        users.flatMap((user) => [user.reports, user.groups, user.companies]),
      );
      return users;
    },
  });
}

export async function findUserByEmail(
  db: Database,
  organizationId: string,
  email: string,
): Promise<UserRow | undefined> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  if (!found) return undefined;
  const [user] = await loadUsers(db, organizationId, [found.id], linksToRead({ pageSize: 1 }));
  return user;
}

export async function findUserById(
  db: Database,
  organizationId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [user] = await loadUsers(db, organizationId, [id], linksToRead({ pageSize: 1 }));
  return user;
}

/** Returns the user's id, locked against deletion until the transaction ends. */
export async function lockUser(
  db: Database,
  organizationId: string,
  email: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey(email))
    .forKeyShare()
    .executeTakeFirst();
  return row?.id;
}

/** Returns the user, locked against changes until the transaction ends. */
export const lockForChange = (
  db: Database,
  organizationId: string,
  email: string,
): Promise<Selectable<Schema['users']> | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey(email))
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Returns the ids of existing users among `emails`, by lower-case e-mail, locked against deletion. */
export async function lockUsers(
  db: Database,
  organizationId: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', sql<string>`ANY(${emails.map(emailKey)})`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Map(rows.map((row) => [row.email_key, row.id]));
}

/** A new user with the fields of the request. */
export type NewUser = EndpointRequest<'createUser'> & {
  organizationId: string;
  id: string;
  mayAuthor: boolean;
};

/** Inserts the user; returns whether the e-mail was new in the organization. */
export async function insertUser(
  db: Database,
  { organizationId, mayAuthor, ...fields }: NewUser,
): Promise<boolean> {
  const rights = {
    canEditReport: mayAuthor,
    canCreateReport: mayAuthor,
    canOverwriteReport: mayAuthor,
  };
  const result = await db
    .insertInto('users')
    .values({
      organization_id: organizationId,
      email_key: emailKey(fields.email),
      ...toColumns(userColumns, { ...fields, ...rights }),
    } as Insertable<Schema['users']>)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteUser(
  db: Database,
  organizationId: string,
  email: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('users')
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Changes the given fields of a user. */
export async function updateUser(
  db: Database,
  organizationId: string,
  id: string,
  values: UserValues,
): Promise<void> {
  const columns = toColumns(userColumns, values);
  if (Object.keys(columns).length === 0) return;
  await db
    .updateTable('users')
    .set(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

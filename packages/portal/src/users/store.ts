import type { Page } from '@portal-embed/contract';
import { sql } from 'kysely';

import { contains, emailKey } from '../db/filters.ts';
import type { Database } from '../db/open.ts';
import { readPage, type PageRequest } from '../db/paging.ts';

const selectUsers = (db: Database, organizationId: string) =>
  db
    .selectFrom('users')
    .where('users.organization_id', '=', organizationId)
    .selectAll()
    .select([
      sql<string[]>`ARRAY(
        SELECT report_id FROM readable_reports
        WHERE organization_id = users.organization_id AND user_id = users.id ORDER BY report_id
      )`.as('reports'),
      sql<string[]>`ARRAY(
        SELECT group_id FROM group_members
        WHERE organization_id = users.organization_id AND user_id = users.id ORDER BY group_id
      )`.as('groups'),
    ]);

export type UserRow = Awaited<
  ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>
>;

export function listUsers(
  db: Database,
  organizationId: string,
  filter: { name?: string | undefined; email?: string | undefined } & PageRequest,
): Promise<Page<UserRow>> {
  let query = selectUsers(db, organizationId)
    .orderBy(sql`email_key COLLATE "C"`)
    .orderBy('id');
  if (filter.name) query = query.where(contains('users.name', filter.name));
  if (filter.email) query = query.where(contains('users.email', filter.email));
  return readPage(query, filter);
}

export function findUserByEmail(
  db: Database,
  organizationId: string,
  email: string,
): Promise<UserRow | undefined> {
  return selectUsers(db, organizationId)
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

/** The user's id, held against deletion until the transaction ends. */
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

/** Ids of the users that exist among `emails`, by lower-case e-mail; held against deletion. */
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

/** Whether the user was new: the e-mail is unique within the organization. */
export async function insertUser(
  db: Database,
  user: {
    organizationId: string;
    id: string;
    email: string;
    name: string;
    role: number;
    mayAuthor: boolean;
  },
): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values({
      organization_id: user.organizationId,
      id: user.id,
      email: user.email,
      email_key: emailKey(user.email),
      name: user.name,
      role: user.role,
      can_edit_report: user.mayAuthor,
      can_create_report: user.mayAuthor,
      can_overwrite_report: user.mayAuthor,
    })
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

export async function findUserName(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** Changes what is given of a user. */
export async function updateUser(
  db: Database,
  organizationId: string,
  email: string,
  change: {
    name?: string | undefined;
    role?: number | undefined;
    mayAuthor?: boolean | undefined;
    department?: string | undefined;
    expirationDate?: Date | null | undefined;
  },
): Promise<void> {
  const { name, role, department, expirationDate, mayAuthor } = change;
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(department === undefined ? {} : { department }),
    ...(expirationDate === undefined ? {} : { expiration_date: expirationDate }),
    ...(mayAuthor === undefined
      ? {}
      : {
          can_edit_report: mayAuthor,
          can_create_report: mayAuthor,
          can_overwrite_report: mayAuthor,
        }),
  };
  if (Object.keys(values).length === 0) return;
  await db
    .updateTable('users')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('email_key', '=', emailKey(email))
    .execute();
}

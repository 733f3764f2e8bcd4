import { sql, type SqlBool } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { anyContainsIndexed, type Filter } from '../db/query/filters.ts';
import { findRows } from '../db/query/lists.ts';
import type { Found, PageRequest } from '../db/query/paging.ts';
import { personColumns, type UserRow } from './user-columns.ts';

/** A row with a name, such as a group of a user. */
export interface Named {
  id: string;
  name: string;
}

type PersonColumn = (typeof personColumns)[keyof typeof personColumns];

export type PersonRow = Pick<UserRow, PersonColumn> & {
  is_expired: boolean;
  companies: Named[];
};

export interface PeopleFilter extends PageRequest {
  /** Part of name or e-mail. */
  search?: string | undefined;
  role?: number | undefined;
  /** `soon`: within 30 days. */
  expiry?: 'soon' | 'expired' | undefined;
  companyId?: string | undefined;
  groupId?: string | undefined;
}

/** Reads a page of users that match the filter, sorted by e-mail. */
export const findPeople = (
  db: Database,
  organizationId: string,
  filter: PeopleFilter,
): Promise<Found<PersonRow>> =>
  findRows(db, filter, {
    organizationId,
    table: 'users',
    filters: buildFilters(organizationId, filter),
    order: [{ column: 'email_key' }],
    load: (snapshot, ids) => loadPeople(snapshot, organizationId, ids),
  });

function buildFilters(
  organizationId: string,
  { search, role, expiry, companyId, groupId }: PeopleFilter,
): Filter[] {
  const conditions = [
    ...(role === undefined ? [] : [sql<SqlBool>`role = ${role}`]),
    ...(expiry === 'expired' ? [sql<SqlBool>`expiration_date <= now()`] : []),
    ...(expiry === 'soon'
      ? [sql<SqlBool>`expiration_date > now() AND expiration_date <= now() + interval '30 days'`]
      : []),
    ...(companyId === undefined
      ? []
      : [
          sql<SqlBool>`id IN (SELECT user_id FROM company_users
            WHERE organization_id = ${organizationId} AND company_id = ${companyId})`,
        ]),
    ...(groupId === undefined
      ? []
      : [
          sql<SqlBool>`id IN (SELECT user_id FROM group_members
            WHERE organization_id = ${organizationId} AND group_id = ${groupId})`,
        ]),
  ];
  return [
    ...(search ? [anyContainsIndexed(organizationId, ['name', 'email'], search)] : []),
    ...conditions.map((condition) => ({ condition })),
  ];
}

async function loadPeople(db: Database, organizationId: string, ids: string[]) {
  const { rows } = await sql<PersonRow>`
    SELECT ${sql.join(Object.values(personColumns).map((column) => sql.ref(column)))},
      expiration_date <= now() IS TRUE AS is_expired,
      (
        SELECT coalesce(json_agg(json_build_object('id', companies.id, 'name', companies.name)
          ORDER BY companies.name COLLATE "C"), '[]')
        FROM company_users AS link JOIN companies
          ON companies.organization_id = link.organization_id AND companies.id = company_id
        WHERE link.organization_id = users.organization_id AND user_id = users.id
      ) AS companies
    FROM users
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`.execute(db);
  return rows;
}

import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

export interface RowAccess {
  /** Version of the dataset to which the roles belong. */
  version: number;
  rowAccess: 'by-role' | 'everyone';
  /** The dataset's roles in the shape of its platform, each with whether the user has it. */
  roles: { name: string; definition: unknown; held: boolean }[];
  /** The stored address; empty if nobody has the id. */
  email: string;
  /** Whether another user's address differs only in its sigmas. */
  hasEmailTwin: boolean;
  department: string;
  /** Names of the user's groups and companies. */
  groups: string[];
  companies: string[];
}

/**
 * Returns what decides which rows a user sees, in a fixed order, so that two results can be compared;
 * `undefined` if the dataset does not exist.
 */
export async function findRowAccess(
  db: Database,
  reader: { organizationId: string; userId: string | null; datasetId: string },
): Promise<RowAccess | undefined> {
  const rows = await db
    .selectFrom('datasets')
    .leftJoin('rls_roles', (join) =>
      join
        .onRef('rls_roles.organization_id', '=', 'datasets.organization_id')
        .onRef('rls_roles.dataset_id', '=', 'datasets.id'),
    )
    .where('datasets.organization_id', '=', reader.organizationId)
    .where('datasets.id', '=', reader.datasetId)
    .select([
      'row_access',
      'datasets.version',
      'rls_roles.name as role',
      'predicate',
      sql<boolean>`EXISTS (
        SELECT FROM held_rls_roles
        WHERE organization_id = rls_roles.organization_id AND role_id = rls_roles.id
          AND user_id = ${reader.userId}
      )`.as('held'),
      sql<{ email: string; department: string; has_twin: boolean } | null>`(
        SELECT json_build_object('email', email, 'department', department, 'has_twin',
          email_key ~ '[σς]' AND EXISTS (
            SELECT FROM users AS twin
            WHERE twin.organization_id = users.organization_id AND twin.id <> users.id
              AND twin.email_key ~ '[σς]'
              AND replace(twin.email_key, 'ς', 'σ') = replace(users.email_key, 'ς', 'σ')
          ))
        FROM users WHERE organization_id = ${reader.organizationId} AND id = ${reader.userId}
      )`.as('reader'),
      sql<string[]>`ARRAY(
        SELECT companies.name FROM company_users AS link
        JOIN companies ON companies.organization_id = link.organization_id
          AND companies.id = link.company_id
        WHERE link.organization_id = ${reader.organizationId}
          AND link.user_id = ${reader.userId}
        ORDER BY companies.name COLLATE "C"
      )`.as('companies'),
      sql<string[]>`ARRAY(
        SELECT groups.name FROM group_members AS member
        JOIN groups ON groups.organization_id = member.organization_id
          AND groups.id = member.group_id
        WHERE member.organization_id = ${reader.organizationId}
          AND member.user_id = ${reader.userId}
        ORDER BY groups.name COLLATE "C"
      )`.as('groups'),
    ])
    .orderBy(sql`rls_roles.name COLLATE "C"`)
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  return {
    version: first.version,
    rowAccess: first.row_access,
    roles: rows.flatMap(({ role, predicate, held }) =>
      role === null ? [] : [{ name: role, definition: predicate, held }],
    ),
    email: first.reader?.email ?? '',
    hasEmailTwin: first.reader?.has_twin ?? false,
    department: first.reader?.department ?? '',
    groups: first.groups,
    companies: first.companies,
  };
}

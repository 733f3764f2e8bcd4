import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { insertLinks, lockExisting } from '../db/query/links.ts';
import { requireAll } from '../references.ts';

export interface CompanyRow {
  id: string;
  name: string;
  users: number;
}

/** Lists the organization's companies by name, with their numbers of users. */
export function listCompanies(db: Database, organizationId: string): Promise<CompanyRow[]> {
  return db
    .selectFrom('companies')
    .where('organization_id', '=', organizationId)
    .select(['id', 'name'])
    .select(
      sql<number>`(
        SELECT count(*) FROM company_users
        WHERE organization_id = companies.organization_id AND company_id = companies.id
      )`.as('users'),
    )
    .orderBy(sql`name COLLATE "C"`)
    .execute();
}

/** Replaces the companies of a user. */
export async function replaceCompanies(
  db: Database,
  organizationId: string,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  const found = await lockExisting(db, 'companies', organizationId, ids);
  requireAll('companies', 'company', ids, found);
  await db
    .deleteFrom('company_users')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
  const user = { column: 'user_id', id: userId };
  await insertLinks(db, 'company_users', organizationId, user, { column: 'company_id', ids });
}

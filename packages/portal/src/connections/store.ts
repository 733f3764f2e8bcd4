import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** Returns the names of the connections that an organization may use. */
export async function listGranted(
  db: Database,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('connection_grants')
    .select('connection')
    .where('organization_id', '=', organizationId)
    .execute();
  return new Set(rows.map(({ connection }) => connection));
}

/** Lists all grants with the slugs of their organizations, in the order of the slugs. */
export const listGrants = (db: Database): Promise<{ connection: string; slug: string }[]> =>
  db
    .selectFrom('connection_grants')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select(['connection', 'slug'])
    .orderBy(sql`slug COLLATE "C"`)
    .execute();

/** Lets only one transaction at a time change grants. */
export async function lockGrants(db: Database): Promise<void> {
  await sql`LOCK TABLE connection_grants IN SHARE ROW EXCLUSIVE MODE`.execute(db);
}

/** Inserts a grant, unless it exists. */
export async function insertGrant(
  db: Database,
  grant: { organizationId: string; connection: string },
): Promise<void> {
  await db
    .insertInto('connection_grants')
    .values({ organization_id: grant.organizationId, connection: grant.connection })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a grant; returns whether it existed. */
export async function deleteGrant(
  db: Database,
  grant: { organizationId: string; connection: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('connection_grants')
    .where('organization_id', '=', grant.organizationId)
    .where('connection', '=', grant.connection)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

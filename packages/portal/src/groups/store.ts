import { sql } from 'kysely';

import type { Database } from '../db/open.ts';

export async function insertGroup(
  db: Database,
  group: { organizationId: string; id: string; name: string },
): Promise<void> {
  await db
    .insertInto('groups')
    .values({ organization_id: group.organizationId, id: group.id, name: group.name })
    .execute();
}

/** Those of `ids` that exist, held against deletion until the transaction ends. */
export async function lockGroups(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('groups')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sql<string>`ANY(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function findGroupByName(
  db: Database,
  organizationId: string,
  name: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('groups')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

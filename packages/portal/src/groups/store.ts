import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { lockExisting } from '../db/query/links.ts';

export interface GroupRow {
  id: string;
  name: string;
  members: number;
  reports: number;
}

/** Lists the organization's groups by name, with their numbers of members and reports. */
export function listGroups(db: Database, organizationId: string): Promise<GroupRow[]> {
  return db
    .selectFrom('groups')
    .where('organization_id', '=', organizationId)
    .select(['id', 'name'])
    .select([
      sql<number>`(
        SELECT count(*) FROM group_members
        WHERE organization_id = groups.organization_id AND group_id = groups.id
      )`.as('members'),
      sql<number>`(
        SELECT count(*) FROM report_groups AS link JOIN reports
          ON reports.organization_id = link.organization_id AND reports.id = link.report_id
        WHERE link.organization_id = groups.organization_id AND group_id = groups.id
          AND archived_at IS NULL
      )`.as('reports'),
    ])
    .orderBy(sql`name COLLATE "C"`)
    .execute();
}

/** Inserts the group; returns whether its name was new in the organization. */
export async function insertGroup(
  db: Database,
  group: { organizationId: string; id: string; name: string },
): Promise<boolean> {
  const result = await db
    .insertInto('groups')
    .values({ organization_id: group.organizationId, id: group.id, name: group.name })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Returns which of `ids` exist, locked against deletion until the transaction ends. */
export const lockGroups = (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> => lockExisting(db, 'groups', organizationId, ids);

const selectGroupId = (db: Database, organizationId: string, name: string) =>
  db
    .selectFrom('groups')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name);

export async function findGroupByName(
  db: Database,
  organizationId: string,
  name: string,
): Promise<string | undefined> {
  return (await selectGroupId(db, organizationId, name).executeTakeFirst())?.id;
}

/** Returns the id of the group with this name, locked against deletion until the transaction ends. */
export async function lockGroup(
  db: Database,
  organizationId: string,
  name: string,
): Promise<string | undefined> {
  return (await selectGroupId(db, organizationId, name).forKeyShare().executeTakeFirst())?.id;
}

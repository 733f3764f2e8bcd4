import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { contains } from '../db/query/filters.ts';
import { lockExisting } from '../db/query/links.ts';
import { computeWindow, inSnapshot, type Found, type PageRequest } from '../db/query/paging.ts';

export interface GroupRow {
  id: string;
  name: string;
  members: number;
  reports: number;
}

const selectGroups = (db: Database, organizationId: string) =>
  db.selectFrom('groups').where('organization_id', '=', organizationId);

/** Lists the organization's groups by name, with their numbers of members and reports. */
export const listGroups = (db: Database, organizationId: string): Promise<GroupRow[]> =>
  selectCounted(selectGroups(db, organizationId)).execute();

/** Reads a page of the groups whose name contains a text. */
export const findGroups = (
  db: Database,
  organizationId: string,
  { search, ...request }: { search?: string | undefined } & PageRequest,
): Promise<Found<GroupRow>> =>
  inSnapshot(db, async (snapshot) => {
    const all = selectGroups(snapshot, organizationId);
    const matches = search ? all.where(contains('name', search)) : all;
    const { offset, limit } = computeWindow(request);
    const rows = await selectCounted(matches).limit(limit).offset(offset).execute();
    const { total } = await matches
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow();
    return { total, rows };
  });

const selectCounted = (groups: ReturnType<typeof selectGroups>) =>
  groups
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
    .orderBy(sql`name COLLATE "C"`);

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

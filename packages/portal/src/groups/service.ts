import { randomUUID } from 'node:crypto';

import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../auth/actor.ts';
import { requireOperator } from '../auth/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { PortalError } from '../errors.ts';
import { requireAll } from '../references.ts';
import { lockReports } from '../reports/store.ts';
import { lockUsers } from '../users/store.ts';
import * as store from './store.ts';

/**
 * Creates a group with members and with reports that its members may open; returns its id.
 *
 * @throws `group_exists` if the organization has a group with this name
 */
export async function createGroup(
  ctx: Context,
  input: { name: string; memberEmails: readonly string[]; reports: readonly string[] },
): Promise<string> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const { name, memberEmails, reports } = input;
  const id = randomUUID();
  const activity = {
    action: 'createGroup',
    subject: name,
    details: { id, memberEmails, reports },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    if (!(await store.insertGroup(transaction, { organizationId, id, name })))
      throw new PortalError(
        'group_exists',
        `The group "${name}" exists already. Choose another name.`,
      );
    await changeMembers(transaction, organizationId, id, memberEmails, insertLinks);
    await changeReports(transaction, organizationId, id, reports, insertLinks);
  });
  return id;
}

/** Returns the id of the group with this name. */
export async function findGroup(ctx: Context, name: string): Promise<string | undefined> {
  requireOperator(ctx);
  return store.findGroupByName(ctx.db, ctx.organizationId, name);
}

export function listGroups(ctx: Context): Promise<store.GroupRow[]> {
  requireOperator(ctx);
  return store.listGroups(ctx.db, ctx.organizationId);
}

/**
 * Returns the ids of the groups with these names.
 *
 * @throws `group_not_found`
 */
export async function findGroupIds(ctx: Context, names: readonly string[]): Promise<string[]> {
  requireOperator(ctx);
  return Promise.all(
    names.map(
      async (name) =>
        (await store.findGroupByName(ctx.db, ctx.organizationId, name)) ?? throwUnknownGroup(name),
    ),
  );
}

interface MemberChange {
  group: string;
  memberEmails: readonly string[];
}

interface ReportChange {
  group: string;
  reports: readonly string[];
}

export async function addMembers(ctx: Context, input: MemberChange): Promise<void> {
  requireOperator(ctx);
  await changeGroup(ctx, 'addGroupMembers', input, (transaction, id) =>
    changeMembers(transaction, ctx.organizationId, id, input.memberEmails, insertLinks),
  );
}

export async function removeMembers(ctx: Context, input: MemberChange): Promise<void> {
  requireOperator(ctx);
  await changeGroup(ctx, 'removeGroupMembers', input, (transaction, id) =>
    changeMembers(transaction, ctx.organizationId, id, input.memberEmails, deleteLinks),
  );
}

export async function linkGroupReports(ctx: Context, input: ReportChange): Promise<void> {
  requireOperator(ctx);
  await changeGroup(ctx, 'linkGroupReports', input, (transaction, id) =>
    changeReports(transaction, ctx.organizationId, id, input.reports, insertLinks),
  );
}

export async function unlinkGroupReports(ctx: Context, input: ReportChange): Promise<void> {
  requireOperator(ctx);
  await changeGroup(ctx, 'unlinkGroupReports', input, (transaction, id) =>
    changeReports(transaction, ctx.organizationId, id, input.reports, deleteLinks),
  );
}

async function changeGroup(
  ctx: Context,
  action: Action,
  { group, ...details }: { group: string },
  change: (transaction: Database, id: string) => Promise<void>,
): Promise<void> {
  await recordChange(ctx, { action, subject: group, details }, async (transaction) => {
    const id =
      (await store.lockGroup(transaction, ctx.organizationId, group)) ?? throwUnknownGroup(group);
    await change(transaction, id);
  });
}

function throwUnknownGroup(name: string): never {
  throw new PortalError(
    'group_not_found',
    `This organization has no group "${name}". List its groups to see their names.`,
  );
}

async function changeMembers(
  transaction: Database,
  organizationId: string,
  groupId: string,
  emails: readonly string[],
  change: typeof insertLinks,
): Promise<void> {
  const found = await lockUsers(transaction, organizationId, emails);
  requireAll('memberEmails', 'user', emails, new Set(found.keys()));
  const group = { column: 'group_id', id: groupId };
  const ids = emails.map((email) => found.get(emailKey(email))!);
  await change(transaction, 'group_members', organizationId, group, { column: 'user_id', ids });
}

async function changeReports(
  transaction: Database,
  organizationId: string,
  groupId: string,
  reports: readonly string[],
  change: typeof insertLinks,
): Promise<void> {
  const found = await lockReports(transaction, organizationId, reports);
  requireAll('reports', 'report', reports, found);
  const group = { column: 'group_id', id: groupId };
  await change(transaction, 'report_groups', organizationId, group, {
    column: 'report_id',
    ids: reports,
  });
}

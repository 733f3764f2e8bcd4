import { randomUUID } from 'node:crypto';

import { recordChange } from '../activity/service.ts';
import { requireOperator, type Context } from '../context.ts';
import { emailKey } from '../db/filters.ts';
import { insertLinks } from '../db/links.ts';
import { requireAll } from '../references.ts';
import { lockReports } from '../reports/store.ts';
import { lockUsers } from '../users/store.ts';
import * as store from './store.ts';

/** Creates a group with members and with reports that its members may open; returns its id. */
export async function createGroup(
  ctx: Context,
  input: { name: string; memberEmails: string[]; reports: string[] },
): Promise<string> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const id = randomUUID();
  const { memberEmails, reports } = input;
  const activity = {
    action: 'createGroup',
    subject: input.name,
    details: { id, memberEmails, reports },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    const members = await lockUsers(transaction, organizationId, input.memberEmails);
    requireAll('memberEmails', 'user', input.memberEmails, new Set(members.keys()));
    const reports = await lockReports(transaction, organizationId, input.reports);
    requireAll('reports', 'report', input.reports, reports);

    const group = { column: 'group_id', id };
    await store.insertGroup(transaction, { organizationId, id, name: input.name });
    await insertLinks(transaction, 'group_members', organizationId, group, {
      column: 'user_id',
      ids: input.memberEmails.map((email) => members.get(emailKey(email))!),
    });
    await insertLinks(transaction, 'report_groups', organizationId, group, {
      column: 'report_id',
      ids: input.reports,
    });
  });
  return id;
}

/** The id of the group with this name. */
export async function findGroup(ctx: Context, name: string): Promise<string | undefined> {
  requireOperator(ctx);
  return store.findGroupByName(ctx.db, ctx.organizationId, name);
}

import { randomUUID } from 'node:crypto';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { insertLinks } from '../db/query/links.ts';
import { insertNamed } from '../db/query/named-rows.ts';
import { changeMembers, groupExists } from '../groups/service.ts';
import { changeReports } from './report-links.ts';

/**
 * Creates a group with members and with reports that its members may open; returns its id.
 *
 * @throws `group_exists` if the organization has a group with this name
 */
export async function createGroup(
  ctx: Context,
  input: { name: string; memberEmails: readonly string[]; reports: readonly string[] },
): Promise<string> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const { name, memberEmails, reports } = input;
  const id = randomUUID();
  const activity = {
    action: 'createGroup',
    subject: name,
    details: { id, memberEmails, reports },
  } as const;
  await recordChange(ctx, activity, async (transaction) => {
    if (!(await insertNamed(transaction, 'groups', { organizationId, id, name })))
      throw groupExists(name);
    await changeMembers(transaction, organizationId, id, memberEmails, insertLinks);
    await changeReports(transaction, organizationId, id, reports, insertLinks);
  });
  return id;
}

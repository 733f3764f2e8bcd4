import { recordChange, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import { deleteLinks, insertLinks } from '../db/query/links.ts';
import { deleteNamed, findName, renameNamed } from '../db/query/named-rows.ts';
import { PortalError } from '../errors.ts';
import { requireAll } from '../references.ts';
import { lockUsers } from '../users/store.ts';
import * as store from './store.ts';

export const groupExists = (name: string) =>
  new PortalError('group_exists', `The group "${name}" exists already. Choose another name.`);

/** @throws `group_not_found`; `group_exists`; `stale_version` if the name is not `baseName` */
export async function renameGroup(
  ctx: Context,
  input: { id: string; name: string; baseName: string },
): Promise<void> {
  requireAdministrator(ctx);
  const { id, name, baseName } = input;
  const activity = { action: 'renameGroup', subject: baseName, details: { id, name } } as const;
  const group = { ...input, organizationId: ctx.organizationId };
  const errors = { taken: () => groupExists(name), unknown: () => throwUnknownGroup(id) };
  await recordChange(ctx, activity, (transaction) =>
    renameNamed(transaction, 'groups', group, errors),
  );
}

/** Deletes a group. Its members lose the reports and roles that only this group gave them. */
export async function deleteGroup(ctx: Context, id: string): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const activity = { action: 'deleteGroup' as const, subject: id };
  await recordChange(ctx, activity, async (transaction) => {
    const name = await deleteNamed(transaction, 'groups', { organizationId, id });
    activity.subject = name ?? throwUnknownGroup(id);
  });
}

/**
 * Returns the name of the group with this id.
 *
 * @throws `group_not_found`
 */
export async function requireGroup(ctx: Context, id: string): Promise<string> {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  return (await findName(db, 'groups', { organizationId, id })) ?? throwUnknownGroup(id);
}

/** Reads a page of the groups whose name contains a text. */
export function findGroups(
  ctx: Context,
  filter: Parameters<typeof store.findGroups>[2],
): ReturnType<typeof store.findGroups> {
  requireAdministrator(ctx);
  return store.findGroups(ctx.db, ctx.organizationId, filter);
}

/** Returns the id of the group with this name. */
export async function findGroup(ctx: Context, name: string): Promise<string | undefined> {
  requireAdministrator(ctx);
  return store.findGroupByName(ctx.db, ctx.organizationId, name);
}

export function listGroups(ctx: Context): Promise<store.GroupRow[]> {
  requireAdministrator(ctx);
  return store.listGroups(ctx.db, ctx.organizationId);
}

/**
 * Returns the ids of the groups with these names.
 *
 * @throws `group_not_found`
 */
export async function findGroupIds(ctx: Context, names: readonly string[]): Promise<string[]> {
  requireAdministrator(ctx);
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

export async function addMembers(ctx: Context, input: MemberChange): Promise<void> {
  requireAdministrator(ctx);
  await changeGroup(ctx, 'addGroupMembers', input, (transaction, id) =>
    changeMembers(transaction, ctx.organizationId, id, input.memberEmails, insertLinks),
  );
}

export async function removeMembers(ctx: Context, input: MemberChange): Promise<void> {
  requireAdministrator(ctx);
  await changeGroup(ctx, 'removeGroupMembers', input, (transaction, id) =>
    changeMembers(transaction, ctx.organizationId, id, input.memberEmails, deleteLinks),
  );
}

/** Changes the links of a group, found by its name. */
export async function changeGroup(
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

/** Adds or removes members. */
export async function changeMembers(
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

import { randomUUID } from 'node:crypto';

import type { EndpointRequest, PagedList } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import {
  mayAdminister,
  requireAdministrator,
  requireAdministratorPermission,
  requirePermission,
} from '../actor/permissions.ts';
import { lockReports } from '../catalogue/store.ts';
import { replaceCompanies } from '../companies/store.ts';
import type { Database } from '../db/connection/open.ts';
import type { Found } from '../db/query/paging.ts';
import { PortalError } from '../errors.ts';
import { lockForChange } from '../organizations/store.ts';
import { requireAll } from '../references.ts';
import { endUserSessions } from './admin-sessions-store.ts';
import { requireAdministratorLeft } from './last-administrator.ts';
import * as people from './people.ts';
import { presentUser } from './presenter.ts';
import * as store from './store.ts';
import type { UserRow, UserValues } from './user-columns.ts';
import { versionOf } from './user-version.ts';

export function listUsers(
  ctx: Context,
  input: EndpointRequest<'listUsers'>,
): Promise<PagedList<UserRow>> {
  requirePermission(ctx, 'listUsers');
  return store.listUsers(ctx.db, ctx.organizationId, input);
}

/** Reads a page of users that match the filter, sorted by e-mail. */
export function findPeople(
  ctx: Context,
  filter: people.PeopleFilter,
): Promise<Found<people.PersonRow>> {
  requireAdministrator(ctx);
  return people.findPeople(ctx.db, ctx.organizationId, filter);
}

/** @throws `user_not_found` */
export async function requireUser(ctx: Context, id: string): Promise<UserRow> {
  requireAdministrator(ctx);
  const user = await store.findUserById(ctx.db, ctx.organizationId, id);
  return user ?? throwUnknownUser(id, 'Search for the user.');
}

export async function createUser(
  ctx: Context,
  input: EndpointRequest<'createUser'>,
): Promise<UserRow> {
  requirePermission(ctx, 'createUser');
  const { organizationId } = ctx;
  const { email, name, role } = input;
  requireAdministratorPermission(ctx, 'createUser', role);
  const id = randomUUID();
  const activity = { action: 'createUser', subject: email, details: { id, name, role } } as const;
  return recordChange(ctx, activity, async (transaction) => {
    const created = await store.insertUser(transaction, {
      ...input,
      organizationId,
      id,
      mayAuthor: mayAdminister(role),
    });
    if (!created)
      throw new PortalError(
        'user_exists',
        `The user ${email} exists in this organization already. Use another e-mail; letter case does not matter.`,
      );
    return (
      (await store.findUserByEmail(transaction, organizationId, email)) ??
      throwUnknownUser(email, 'Create the user again.')
    );
  });
}

/** Changes of a user. Fields that are not given stay. */
export interface UserChange extends UserValues {
  /** Ids of the user's companies. */
  companies?: readonly string[] | undefined;
}

/**
 * Changes a user. A change of role or expiry ends the user's sessions of the administration pages.
 *
 * @param input.baseVersion `versionOf` the user on which the change is based; default: any
 * @throws `stale_version`; `last_administrator`
 */
export async function updateUser(
  ctx: Context,
  {
    userEmail,
    baseVersion,
    ...change
  }: { userEmail: string; baseVersion?: string | undefined } & UserChange,
): Promise<UserRow> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const details: UserChange = {};
  const activity = { action: 'updateUser', subject: userEmail, details } as const;
  return recordChange(ctx, activity, async (transaction) => {
    const before = await lockUserForChange(transaction, ctx, userEmail, 'Check the e-mail.');
    if (baseVersion !== undefined && baseVersion !== versionOf(before))
      throw new PortalError('stale_version', `Someone else has changed ${userEmail}.`, {
        advice: 'Load the user again, then repeat your change.',
      });
    const values = changedValues(before, change);
    await requireAdministratorLeft(transaction, ctx, before, values);
    await requireReport(transaction, organizationId, values.reportLandingPage);
    const { companies, ...columns } = Object.assign(details, values);
    await store.updateUser(transaction, organizationId, before.id, columns);
    if (companies) await replaceCompanies(transaction, organizationId, before.id, companies);
    // What a session may do was decided by the old values.
    if (values.role !== undefined || values.expirationDate !== undefined)
      await endUserSessions(transaction, organizationId, before.id);
    return (await store.findUserByEmail(transaction, organizationId, userEmail))!;
  });
}

/** Returns the user, locked until the transaction ends. */
async function lockUserForChange(
  transaction: Database,
  { organizationId, actor }: Context,
  email: string,
  advice: string,
): Promise<UserRow> {
  // Two administrators must not remove each other at the same time.
  if (actor.kind === 'user') await lockForChange(transaction, organizationId);
  await store.lockForChange(transaction, organizationId, email);
  return (
    (await store.findUserByEmail(transaction, organizationId, email)) ??
    throwUnknownUser(email, advice)
  );
}

/** The values that differ from the user's. Another role comes with its rights. */
function changedValues(before: UserRow, change: UserChange): UserChange {
  const present = presentUser(before);
  const isChanged = ([field, value]: [string, unknown]) => {
    const current = present[field as keyof typeof present];
    const given = value instanceof Date ? value.toISOString() : value;
    return value !== undefined && JSON.stringify(given) !== JSON.stringify(current);
  };
  const { role = before.role, companies } = change;
  const mayAuthor = role === before.role ? undefined : mayAdminister(role);
  const rights = {
    canEditReport: mayAuthor,
    canCreateReport: mayAuthor,
    canOverwriteReport: mayAuthor,
  };
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const wanted = {
    ...rights,
    ...Object.fromEntries(given),
    ...(companies && { companies: companies.toSorted() }),
  };
  return Object.fromEntries(Object.entries(wanted).filter(isChanged));
}

async function requireReport(
  db: Database,
  organizationId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id)
    requireAll('reportLandingPage', 'report', [id], await lockReports(db, organizationId, [id]));
}

/** @throws `last_administrator` */
export async function deleteUser(
  ctx: Context,
  input: EndpointRequest<'deleteUser'>,
): Promise<void> {
  requirePermission(ctx, 'deleteUser');
  const { userEmail } = input;
  await recordChange(ctx, { action: 'deleteUser', subject: userEmail }, async (transaction) => {
    const advice = 'Check the e-mail. Nothing was deleted.';
    const user = await lockUserForChange(transaction, ctx, userEmail, advice);
    requireAdministratorPermission(ctx, 'deleteUser', user.role);
    await requireAdministratorLeft(transaction, ctx, user, 'deleted');
    await store.deleteUser(transaction, ctx.organizationId, userEmail);
  });
}

/** @param advice what the caller can do, in the context of the operation */
export function throwUnknownUser(email: string, advice: string): never {
  throw new PortalError(
    'user_not_found',
    `There is no user ${email} in this organization. ${advice}`,
  );
}

import { randomUUID } from 'node:crypto';

import { userRoles, type EndpointRequest, type PagedList } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../auth/actor.ts';
import { requireOperator, requirePermission } from '../auth/permissions.ts';
import { PortalError } from '../errors.ts';
import * as store from './store.ts';

export function listUsers(
  ctx: Context,
  input: EndpointRequest<'listUsers'>,
): Promise<PagedList<store.UserRow>> {
  requirePermission(ctx, 'listUsers');
  return store.listUsers(ctx.db, ctx.organizationId, input);
}

export async function createUser(
  ctx: Context,
  input: EndpointRequest<'createUser'>,
): Promise<store.UserRow> {
  requirePermission(ctx, 'createUser');
  const { organizationId } = ctx;
  const { email, name, role } = input;
  const id = randomUUID();
  const activity = { action: 'createUser', subject: email, details: { id, name, role } } as const;
  return recordChange(ctx, activity, async (transaction) => {
    const created = await store.insertUser(transaction, {
      organizationId,
      id,
      email,
      name,
      role,
      mayAuthor: role !== userRoles.viewer,
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
export interface UserChange {
  name?: string | undefined;
  role?: number | undefined;
  department?: string | undefined;
  /** When the user's access and open sessions expire; `null` for never. */
  expirationDate?: Date | null | undefined;
}

export async function updateUser(
  ctx: Context,
  { userEmail, ...change }: { userEmail: string } & UserChange,
): Promise<store.UserRow> {
  requireOperator(ctx);
  const activity = { action: 'updateUser', subject: userEmail, details: change } as const;
  return recordChange(ctx, activity, async (transaction) => {
    const { organizationId } = ctx;
    await store.updateUser(transaction, organizationId, userEmail, {
      ...change,
      ...(change.role === undefined ? {} : { mayAuthor: change.role !== userRoles.viewer }),
    });
    return (
      (await store.findUserByEmail(transaction, organizationId, userEmail)) ??
      throwUnknownUser(userEmail, 'Check the e-mail.')
    );
  });
}

export async function deleteUser(
  ctx: Context,
  input: EndpointRequest<'deleteUser'>,
): Promise<void> {
  requirePermission(ctx, 'deleteUser');
  const { userEmail } = input;
  await recordChange(ctx, { action: 'deleteUser', subject: userEmail }, async (transaction) => {
    const deleted = await store.deleteUser(transaction, ctx.organizationId, userEmail);
    if (!deleted) throwUnknownUser(userEmail, 'Check the e-mail. Nothing was deleted.');
  });
}

/** @param advice what the caller can do, in the context of the operation */
export function throwUnknownUser(email: string, advice: string): never {
  throw new PortalError(
    'user_not_found',
    `There is no user ${email} in this organization. ${advice}`,
  );
}

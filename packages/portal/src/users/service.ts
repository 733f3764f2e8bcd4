import { randomUUID } from 'node:crypto';

import { userRoles, type EndpointRequest, type Page } from '@portal-embed/contract';

import { requirePermission, type Context } from '../context.ts';
import { PortalError } from '../errors.ts';
import * as store from './store.ts';

export function listUsers(
  ctx: Context,
  input: EndpointRequest<'listUsers'>,
): Promise<Page<store.UserRow>> {
  requirePermission(ctx, 'users:read');
  return store.listUsers(ctx.db, ctx.organizationId, input);
}

export async function createUser(
  ctx: Context,
  input: EndpointRequest<'createUser'>,
): Promise<store.UserRow> {
  requirePermission(ctx, 'users:write');
  const created = await store.insertUser(ctx.db, {
    ...input,
    organizationId: ctx.organizationId,
    id: randomUUID(),
    mayAuthor: input.role !== userRoles.viewer,
  });
  if (!created)
    throw new PortalError(
      'user_exists',
      `There is a user ${input.email} in this organization already. E-mails are compared without regard to letter case.`,
    );
  const user = await store.findUserByEmail(ctx.db, ctx.organizationId, input.email);
  return user ?? throwUnknownUser(input.email);
}

export async function deleteUser(
  ctx: Context,
  input: EndpointRequest<'deleteUser'>,
): Promise<void> {
  requirePermission(ctx, 'users:write');
  const deleted = await store.deleteUser(ctx.db, ctx.organizationId, input.userEmail);
  if (!deleted) throwUnknownUser(input.userEmail);
}

export function throwUnknownUser(email: string): never {
  throw new PortalError(
    'user_not_found',
    `There is no user ${email} in this organization. Create the user first.`,
  );
}

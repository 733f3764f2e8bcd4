import { randomUUID } from 'node:crypto';

import type { Permission } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { generateApiKey } from './format.ts';
import * as store from './store.ts';

/** A new key. Only its hash is stored. */
export interface NewApiKey {
  id: string;
  key: string;
}

/**
 * Creates an API key of the organization, with exactly the permissions given.
 *
 * @param input.expiresAt when the key expires; default: never
 */
export async function createApiKey(
  ctx: Context,
  input: { name: string; permissions: readonly Permission[]; expiresAt?: Date | null },
): Promise<NewApiKey> {
  requireAdministrator(ctx);
  const { expiresAt = null, ...rest } = input;
  requireFuture('expiresAt', expiresAt);
  const { created, row } = newApiKey(ctx, { ...rest, expiresAt });
  const activity = {
    action: 'createApiKey',
    subject: created.id,
    details: { ...rest, expiresAt },
  } as const;
  await recordChange(ctx, activity, (transaction) => store.insertApiKey(transaction, row));
  return created;
}

export function listApiKeys(ctx: Context): Promise<store.ApiKeyRow[]> {
  requireAdministrator(ctx);
  return store.listApiKeys(ctx.db, ctx.organizationId);
}

export async function renameApiKey(
  ctx: Context,
  input: { id: string; name: string },
): Promise<void> {
  requireAdministrator(ctx);
  const { id, name } = input;
  const activity = { action: 'renameApiKey', subject: id, details: { name } } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireApiKey(transaction, ctx, id);
    await store.renameApiKey(transaction, id, name);
  });
}

/**
 * Creates a key that replaces another one, with its name and permissions.
 *
 * @param input.oldWorksUntil when the old key expires, unless it expires earlier
 * @param input.expiresAt when the new key expires; default: after the same lifetime as the old key
 * @throws `api_key_ended` for a key that is revoked, expired or rotated already.
 */
export async function rotateApiKey(
  ctx: Context,
  input: { id: string; oldWorksUntil: Date; expiresAt?: Date | null },
): Promise<NewApiKey> {
  requireAdministrator(ctx);
  const { id, oldWorksUntil } = input;
  requireFuture('expiresAt', input.expiresAt ?? null);
  return inTransaction(ctx.db, async (transaction) => {
    const old = await requireApiKey(transaction, ctx, id);
    if (old.replaced_by)
      throw new PortalError(
        'api_key_ended',
        `The API key ${id} was rotated already. Rotate its successor ${old.replaced_by}.`,
      );
    if (!old.live)
      throw new PortalError('api_key_ended', `The API key ${id} has ended. Create a new one.`);
    const expiresAt = input.expiresAt === undefined ? repeatLifetime(old) : input.expiresAt;
    const permissions = old.permissions as Permission[];
    const { created, row } = newApiKey(ctx, { name: old.name, permissions, expiresAt });
    const activity = {
      action: 'rotateApiKey',
      subject: id,
      details: { replacedBy: created.id, oldWorksUntil, expiresAt },
    } as const;
    await recordChange({ ...ctx, db: transaction }, activity, async () => {
      await store.insertApiKey(transaction, row);
      const end = { replacedBy: created.id, worksUntil: oldWorksUntil };
      await store.replaceApiKey(transaction, id, end);
    });
    return created;
  });
}

/**
 * Revokes a key permanently and ends the URLs and sessions that were minted with it.
 *
 * @param input.keepSessions keeps those URLs and sessions; has no effect once they have ended
 */
export async function revokeApiKey(
  ctx: Context,
  input: { id: string; keepSessions?: boolean },
): Promise<void> {
  requireAdministrator(ctx);
  const { id, keepSessions = false } = input;
  const activity = { action: 'revokeApiKey', subject: id, details: { keepSessions } } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireApiKey(transaction, ctx, id);
    await store.revokeApiKey(transaction, id, { endSessions: !keepSessions });
  });
}

function newApiKey(
  ctx: Context,
  input: { name: string; permissions: readonly Permission[]; expiresAt: Date | null },
) {
  const created: NewApiKey = { id: randomUUID(), key: generateApiKey() };
  const { organizationId } = ctx;
  const row = { ...input, organizationId, id: created.id, keyHash: sha256(created.key) };
  return { created, row };
}

const repeatLifetime = (old: { created_at: Date; expires_at: Date | null }): Date | null =>
  old.expires_at && new Date(Date.now() + old.expires_at.getTime() - old.created_at.getTime());

async function requireApiKey(db: Database, ctx: Context, id: string): Promise<store.ApiKeyRow> {
  const row = await store.lockApiKey(db, ctx.organizationId, id);
  if (row) return row;
  throw new PortalError(
    'api_key_not_found',
    `This organization has no API key ${id}. List its keys to see their ids.`,
  );
}

function requireFuture(path: string, moment: Date | null): void {
  if (!moment || moment.getTime() > Date.now()) return;
  const message = 'must be in the future';
  throw new PortalError('invalid_request', `${path} ${message}.`, {
    errors: [{ path, message }],
  });
}

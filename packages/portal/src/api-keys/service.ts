import { randomUUID, timingSafeEqual } from 'node:crypto';

import type { Permission } from '@portal-embed/contract';

import { recordChange, recordRefused } from '../activity-log/service.ts';
import { requireOperator, type Context } from '../context.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { generateApiKey, isApiKey } from './format.ts';
import * as store from './store.ts';

/** A key at the only moment at which it can be read: afterwards there is only its hash. */
export interface NewApiKey {
  id: string;
  key: string;
}

/**
 * Creates an API key of the organization, with exactly the permissions given.
 *
 * @param input.expiresAt from when on the key is refused; by default it does not expire
 */
export async function createApiKey(
  ctx: Context,
  input: { name: string; permissions: readonly Permission[]; expiresAt?: Date | null },
): Promise<NewApiKey> {
  requireOperator(ctx);
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
  requireOperator(ctx);
  return store.listApiKeys(ctx.db, ctx.organizationId);
}

export async function renameApiKey(
  ctx: Context,
  input: { id: string; name: string },
): Promise<void> {
  requireOperator(ctx);
  const { id, name } = input;
  const activity = { action: 'renameApiKey', subject: id, details: { name } } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireApiKey(transaction, ctx, id);
    await store.renameApiKey(transaction, id, name);
  });
}

/**
 * Creates a key with the name and the permissions of another, which works until the moment given.
 *
 * @param input.oldWorksUntil when the old key ends, unless it expires earlier
 * @param input.expiresAt when the new key ends; by default it lives as long as the old one was
 *   meant to
 * @throws `api_key_ended` for a key that is revoked, expired or rotated already.
 */
export async function rotateApiKey(
  ctx: Context,
  input: { id: string; oldWorksUntil: Date; expiresAt?: Date | null },
): Promise<NewApiKey> {
  requireOperator(ctx);
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
    const expiresAt = input.expiresAt === undefined ? sameLifetime(old) : input.expiresAt;
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
  requireOperator(ctx);
  const { id, keepSessions = false } = input;
  const activity = { action: 'revokeApiKey', subject: id, details: { keepSessions } } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await requireApiKey(transaction, ctx, id);
    await store.revokeApiKey(transaction, id, { endSessions: !keepSessions });
  });
}

/**
 * The context of a request that carries `key` as its `X-API-Key`.
 *
 * @throws `invalid_api_key`, in the same words whether the key is missing, malformed, unknown,
 *   revoked or expired.
 */
export async function authenticate(
  scope: { db: Database; publicUrl: string },
  key: string | undefined,
): Promise<Context> {
  const { db } = scope;
  if (!key || !isApiKey(key)) throw invalidApiKey();
  const keyHash = sha256(key);
  const row = await store.findApiKeyByHash(db, keyHash);
  if (!row || !timingSafeEqual(row.key_hash, keyHash)) throw invalidApiKey();
  const ctx: Context = {
    ...scope,
    organizationId: row.organization_id,
    permissions: new Set(row.permissions as Permission[]),
    apiKeyId: row.id,
    operator: undefined,
    confirmKey: () => authenticate(scope, key),
  };
  if (!row.live) return refuseEndedApiKey(ctx, row);
  // Nothing waits for it, and a request does not fail because its key's last use was not noted.
  if (row.use_due && !db.isTransaction)
    void store.touchApiKey(db, row.id, 'last_used_at').catch(() => {});
  return ctx;
}

type Authenticate = typeof authenticate;

/** How long a key is believed; short enough that its last use is still noted each minute. */
const recallMs = 30_000;

/** More keys than this in half a minute are rather looked up again than kept. */
const mostRecalled = 10_000;

/**
 * An `authenticate` that believes a key for half a minute after it was looked up. It saves a mint
 * one of its two questions to the database, and is right only for an operation whose own statement
 * checks the key again, and if whatever is refused before that confirms the key first: so a key that
 * is revoked ends at once, at every instance.
 */
export function rememberApiKeys(): Authenticate {
  const recalled = new Map<string, { ctx: Context; until: number }>();
  return async (scope, key) => {
    const hash = key === undefined ? '' : sha256(key).toString('base64');
    const known = recalled.get(hash);
    if (known && known.until > performance.now()) return known.ctx;
    const ctx = await authenticate(scope, key);
    if (recalled.size >= mostRecalled) recalled.clear();
    recalled.set(hash, { ctx, until: performance.now() + recallMs });
    return ctx;
  };
}

/** Recorded at most once a minute: whoever has an old key could fill the log otherwise. */
async function refuseEndedApiKey(
  ctx: Context,
  row: { id: string; name: string; refusal_due: boolean },
): Promise<never> {
  if (row.refusal_due && (await store.touchApiKey(ctx.db, row.id, 'last_refused_at')))
    await recordRefused(ctx, { action: 'useEndedApiKey', subject: row.name }, 'invalid_api_key');
  throw invalidApiKey();
}

export const invalidApiKey = (): PortalError =>
  new PortalError(
    'invalid_api_key',
    'The API key is missing or not valid. Send a valid key in the header X-API-Key, or ask an administrator of the portal for one.',
  );

function newApiKey(
  ctx: Context,
  input: { name: string; permissions: readonly Permission[]; expiresAt: Date | null },
) {
  const created: NewApiKey = { id: randomUUID(), key: generateApiKey() };
  const { organizationId } = ctx;
  const row = { ...input, organizationId, id: created.id, keyHash: sha256(created.key) };
  return { created, row };
}

const sameLifetime = (old: { created_at: Date; expires_at: Date | null }): Date | null =>
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
  throw new PortalError('invalid_request', `${path} ${message}.`, [{ path, message }]);
}

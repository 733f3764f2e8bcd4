import type { EndpointName, Permission } from '@portal-embed/contract';
import { sql, type Expression } from 'kysely';
import { LRUCache } from 'lru-cache';

import { recordRefused } from '../activity-log/service.ts';
import type { ApiKeyActor, Context } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { isApiKey } from './format.ts';
import { findApiKeyByHash, isApiKeyLive, touchApiKey } from './store.ts';

/*
 * How the API key of a request is checked:
 * 1. `authenticateKey` looks the key up for each request.
 * 2. For the endpoints of `isCheckedByStatement`, `createKeyCache` keeps the result for 30 seconds,
 *    and the endpoint's own statement checks the key again with `isKeyLive`.
 * 3. `confirmKey`, which `app.ts` adds to the context, repeats the look-up after a slow body and, in
 *    `recordRefusal` of the activity log, before a refusal.
 *
 * Requests with a token or bearer have no key. `isNotEndedWithKey` of `viewer-sessions/session.ts`
 * checks that revoking the key of the mint has not ended the URL or session.
 */

interface Scope {
  db: Database;
  publicUrl: string;
}

/** Returns the context of a request with this key. */
export type AuthenticateKey = (scope: Scope, key: string) => Promise<Context<ApiKeyActor>>;

/**
 * Looks an API key up.
 *
 * @param key value of the `X-API-Key` header
 * @throws `invalid_api_key` with the same text for a malformed, unknown, revoked or expired key
 */
export const authenticateKey: AuthenticateKey = async (scope, key) => {
  const { db } = scope;
  if (!isApiKey(key)) throw invalidApiKey();
  const row = await findApiKeyByHash(db, sha256(key));
  if (!row) throw invalidApiKey();
  const ctx: Context<ApiKeyActor> = {
    ...scope,
    organizationId: row.organization_id,
    actor: {
      kind: 'api-key',
      id: row.id,
      permissions: new Set(row.permissions as Permission[]),
    },
  };
  if (!row.live) return refuseEndedKey(ctx, row);
  // Not awaited: a request does not fail because its key's last use could not be written.
  if (row.use_due && !db.isTransaction)
    void touchApiKey(db, row.id, 'last_used_at').catch(() => {});
  return ctx;
};

/** Whether the endpoint's own statement checks the key with `isKeyLive`. */
export const isCheckedByStatement = (endpoint: EndpointName): boolean =>
  endpoint === 'mintIdentityUrl';

/** SQL: whether the key with this id is live. An operator has no key and may always act. */
export const isKeyLive = (id: Expression<unknown>) => sql<boolean>`(
  ${id}::uuid IS NULL
  OR EXISTS (SELECT FROM api_keys WHERE id = ${id}::uuid AND ${isApiKeyLive})
)`;

/** Short enough that the last use of a key is still written each minute. */
const cached = { max: 10_000, ttl: 30_000, ttlResolution: 0 };

/**
 * Returns an `authenticateKey` that caches each key for 30 seconds, which saves a mint one of its two
 * queries. Use it only for the endpoints of `isCheckedByStatement`. The permissions of a key never
 * change.
 */
export function createKeyCache(): AuthenticateKey {
  const cache = new LRUCache<string, Context<ApiKeyActor>>(cached);
  return async (scope, key) => {
    const hash = sha256(key).toString('base64');
    const known = cache.get(hash);
    if (known) return known;
    const ctx = await authenticateKey(scope, key);
    cache.set(hash, ctx);
    return ctx;
  };
}

/** Records the refusal at most once a minute, so that an old key cannot fill the log. */
async function refuseEndedKey(
  ctx: Context,
  row: { id: string; name: string; refusal_due: boolean },
): Promise<never> {
  if (row.refusal_due && (await touchApiKey(ctx.db, row.id, 'last_refused_at')))
    await recordRefused(ctx, { action: 'useEndedApiKey', subject: row.name }, 'invalid_api_key');
  throw invalidApiKey();
}

export const invalidApiKey = (): PortalError =>
  new PortalError(
    'invalid_api_key',
    'The API key is missing or not valid. Send a valid key in the header X-API-Key, or ask an administrator of the portal for one.',
  );

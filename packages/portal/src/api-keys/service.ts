import { randomUUID } from 'node:crypto';

import type { Permission } from '@portal-embed/contract';

import { requireOperator, type Context } from '../context.ts';
import type { Database } from '../db/open.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';
import { generateApiKey, isApiKey } from './format.ts';
import * as store from './store.ts';

/** Creates an API key of the organization. It is returned this once; only its hash is stored. */
export async function createApiKey(
  ctx: Context,
  input: { name: string; permissions: readonly Permission[] },
): Promise<string> {
  requireOperator(ctx);
  const key = generateApiKey();
  await store.insertApiKey(ctx.db, {
    ...input,
    organizationId: ctx.organizationId,
    id: randomUUID(),
    keyHash: sha256(key),
  });
  return key;
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
  const row = key && isApiKey(key) ? await store.findLiveApiKey(scope.db, sha256(key)) : undefined;
  if (!row)
    throw new PortalError(
      'invalid_api_key',
      'Send a valid API key in the header X-API-Key. Keys are made by an administrator of the portal.',
    );
  return {
    ...scope,
    organizationId: row.organization_id,
    permissions: new Set(row.permissions as Permission[]),
    operator: false,
  };
}

import type { Permission } from '@portal-embed/contract';
import { sql } from 'kysely';

import type { Database } from '../db/open.ts';

export async function insertApiKey(
  db: Database,
  key: {
    organizationId: string;
    id: string;
    name: string;
    keyHash: Buffer;
    permissions: readonly Permission[];
  },
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      organization_id: key.organizationId,
      name: key.name,
      key_hash: key.keyHash,
      permissions: [...key.permissions],
      expires_at: null,
      revoked_at: null,
    })
    .execute();
}

/** The key with this hash, unless it is revoked or expired. */
export function findLiveApiKey(
  db: Database,
  keyHash: Buffer,
): Promise<{ id: string; organization_id: string; permissions: string[] } | undefined> {
  return db
    .selectFrom('api_keys')
    .select(['id', 'organization_id', 'permissions'])
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at IS NULL OR expires_at > now())`)
    .executeTakeFirst();
}

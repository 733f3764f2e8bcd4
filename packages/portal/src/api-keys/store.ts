import { userRoles, type Permission } from '@portal-embed/contract';
import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { prepareStatement } from '../db/connection/prepared.ts';

/** Neither revoked nor expired, by the database's clock. */
export const isApiKeyLive = sql<boolean>`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))`;

/** Times that are written at most once a minute. */
type Touched = 'last_used_at' | 'last_refused_at';

const isTouchDue = (column: Touched) =>
  sql<boolean>`(coalesce(${sql.ref(column)}, '-infinity') < now() - interval '1 minute')`;

const selectApiKeys = (db: Database, organizationId: string) =>
  db
    .selectFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .select([
      'id',
      'name',
      'permissions',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'last_refused_at',
      'replaced_by',
      isApiKeyLive.as('live'),
    ]);

export type ApiKeyRow = Awaited<
  ReturnType<ReturnType<typeof selectApiKeys>['executeTakeFirstOrThrow']>
>;

export function listApiKeys(db: Database, organizationId: string): Promise<ApiKeyRow[]> {
  return selectApiKeys(db, organizationId).orderBy('created_at').orderBy('id').execute();
}

/** Returns the key, locked against other changes until the transaction ends. */
export function lockApiKey(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  return selectApiKeys(db, organizationId).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function insertApiKey(
  db: Database,
  key: {
    organizationId: string;
    id: string;
    name: string;
    keyHash: Buffer;
    permissions: readonly Permission[];
    expiresAt: Date | null;
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
      expires_at: key.expiresAt,
      revoked_at: null,
    })
    .execute();
}

export async function renameApiKey(db: Database, id: string, name: string): Promise<void> {
  await db.updateTable('api_keys').set({ name }).where('id', '=', id).execute();
}

/** Revokes the key. `endSessions` also ends its URLs and sessions. */
export async function revokeApiKey(
  db: Database,
  id: string,
  { endSessions }: { endSessions: boolean },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      revoked_at: sql<Date>`coalesce(revoked_at, now())`,
      sessions_ended: sql<boolean>`sessions_ended OR ${endSessions}`,
    })
    .where('id', '=', id)
    .execute();
}

/** Lets the key work until `worksUntil`, or its own expiry if that is earlier. */
export async function replaceApiKey(
  db: Database,
  id: string,
  { replacedBy, worksUntil }: { replacedBy: string; worksUntil: Date },
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      replaced_by: replacedBy,
      expires_at: sql<Date>`least(expires_at, ${worksUntil}::timestamptz)`,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Finds the key with this hash. The time of an index look-up depends on the compared bytes, but those
 * are of a hash of 256 random bits and reveal nothing about a key.
 */
export async function findApiKeyByHash(db: Database, keyHash: Buffer) {
  return (await runFindApiKey(db, { keyHash }))[0];
}

interface FoundApiKey {
  id: string;
  organization_id: string;
  name: string;
  permissions: string[];
  live: boolean;
  use_due: boolean;
  refusal_due: boolean;
}

const runFindApiKey = prepareStatement<{ keyHash: Buffer }, FoundApiKey>(
  'find_api_key',
  (value, db) =>
    db
      .selectFrom('api_keys')
      .select(['id', 'organization_id', 'name', 'permissions', isApiKeyLive.as('live')])
      .select([
        isTouchDue('last_used_at').as('use_due'),
        isTouchDue('last_refused_at').as('refusal_due'),
      ])
      .where('key_hash', '=', value('keyHash')),
);

/**
 * Writes the time of a use or refusal, and returns whether the previous one was more than a minute
 * ago. One of several simultaneous calls writes; the others do not wait.
 */
export async function touchApiKey(db: Database, id: string, column: Touched): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ [column]: sql<Date>`now()` })
    .where('id', '=', (due) =>
      due
        .selectFrom('api_keys')
        .select('id')
        .where('id', '=', id)
        .where(isTouchDue(column))
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** A key and the organization that it belongs to. */
export interface NamedApiKey {
  organization: string;
  id: string;
  name: string;
}

/**
 * Lists live keys without `administrators:write` that have created users who may administer, and the
 * successors of such keys.
 */
export async function listFormerAdministratorKeys(db: Database): Promise<NamedApiKey[]> {
  const { rows } = await sql<NamedApiKey>`
    WITH RECURSIVE creators AS (
      SELECT api_key_id AS id FROM organizations JOIN activity_entries
        ON organization_id = organizations.id AND action = 'createUser' AND refusal IS NULL
      WHERE details ->> 'role' <> ${String(userRoles.viewer)}
      UNION
      SELECT replaced_by FROM api_keys JOIN creators USING (id)
    )
    SELECT slug AS organization, api_keys.id, api_keys.name FROM creators JOIN api_keys USING (id)
    JOIN organizations ON organizations.id = organization_id
    WHERE ${isApiKeyLive} AND 'administrators:write' <> ALL (permissions)
    ORDER BY slug COLLATE "C", api_keys.name COLLATE "C", api_keys.id`.execute(db);
  return rows;
}

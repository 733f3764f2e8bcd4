import type { Selectable } from 'kysely';
import { sql, type SqlBool } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import type { Schema } from '../db/schema.ts';

export type ActivityRow = Selectable<Schema['activity_entries']> & { api_key_name: string | null };

/** Equal refusals within one window are one entry. */
const mergeSeconds = 600;

/**
 * Writes an entry. A refusal that equals an earlier one of the same window increases its count
 * instead. A refusal is written only if the organization exists: a deleted organization must leave
 * no data, such as e-mails, behind. A locked organization is being deleted, so it is skipped.
 */
export async function insertEntry(
  db: Database,
  entry: {
    organizationId: string;
    apiKeyId: string | undefined;
    operator: string | undefined;
    userId: string | undefined;
    userEmail: string | undefined;
    action: string;
    subject: string;
    details: object | undefined;
    refusal: string | undefined;
  },
): Promise<void> {
  const written = sql`
    SELECT ${entry.organizationId}::uuid AS organization_id, ${entry.apiKeyId ?? null}::uuid AS api_key_id,
      ${entry.operator ?? null}::text AS operator, ${entry.userId ?? null}::uuid AS user_id,
      ${entry.userEmail ?? null}::text AS user_email, ${entry.action}::text AS action,
      ${entry.subject}::text AS subject,
      ${entry.details ? JSON.stringify(entry.details) : null}::jsonb AS details,
      ${entry.refusal ?? null}::text AS refusal`;
  const columns = sql`organization_id, api_key_id, operator, user_id, user_email, action, subject, details,
    refusal`;
  const statement =
    entry.refusal === undefined
      ? sql`INSERT INTO activity_entries (${columns}) ${written}`
      : sql`
        INSERT INTO activity_entries AS known (${columns}, merge_key)
        SELECT written.*, sha256(convert_to(jsonb_build_array(
          api_key_id, operator, user_id, action, subject, details, refusal,
          floor(extract(epoch FROM now()) / ${mergeSeconds}::integer)
        )::text, 'UTF8'))
        FROM (${written}) AS written JOIN organizations ON organizations.id = organization_id
        FOR KEY SHARE OF organizations SKIP LOCKED
        ON CONFLICT (organization_id, merge_key) WHERE merge_key IS NOT NULL DO UPDATE
        SET count = known.count + 1,
          last_at = greatest(clock_timestamp(), known.last_at, known.created_at)`;
  await statement.execute(db);
}

export interface ActivityFilter {
  /** Only entries before the one with this id. */
  beforeId?: number | undefined;
  action?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  refused?: boolean | undefined;
  /** Leaves out mints, which are most entries. */
  withoutMints?: boolean | undefined;
  limit: number;
}

/**
 * Entries are read by their ids, which ascend with time, but not exactly if they are written at the same
 * time. Mints are frequent and have an index by time, over all organizations: the ids of those an hour
 * outside of a period limit what is read for it.
 */
const mintBefore = (from: Date) => sql<number>`coalesce((
  SELECT id FROM activity_entries AS mint
  WHERE action = 'mintIdentityUrl' AND refusal IS NULL
    AND created_at < ${from}::timestamptz - interval '1 hour'
  ORDER BY created_at DESC LIMIT 1
), 0)`;

const mintAfter = (to: Date) => sql<number>`coalesce((
  SELECT id FROM activity_entries AS mint
  WHERE action = 'mintIdentityUrl' AND refusal IS NULL
    AND created_at > ${to}::timestamptz + interval '1 hour'
  ORDER BY created_at LIMIT 1
), 9223372036854775807)`;

/** Lists entries, newest first, with the current names of their keys. */
export function listEntries(
  db: Database,
  organizationId: string,
  filter: ActivityFilter,
): Promise<ActivityRow[]> {
  let query = db
    .selectFrom('activity_entries')
    .leftJoin('api_keys', 'api_keys.id', 'activity_entries.api_key_id')
    .where('activity_entries.organization_id', '=', organizationId)
    .selectAll('activity_entries')
    .select('api_keys.name as api_key_name')
    .orderBy('activity_entries.id', 'desc')
    .limit(filter.limit);
  if (filter.beforeId !== undefined)
    query = query.where('activity_entries.id', '<', filter.beforeId);
  // The age of an entry is that of its latest refusal.
  if (filter.from)
    query = query
      .where(sql<SqlBool>`coalesce(last_at, activity_entries.created_at) >= ${filter.from}`)
      .where('activity_entries.id', '>', mintBefore(filter.from));
  if (filter.to)
    query = query
      .where('activity_entries.created_at', '<', filter.to)
      .where('activity_entries.id', '<', mintAfter(filter.to));
  if (filter.refused) query = query.where('refusal', 'is not', null);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  // The text must equal the condition of the partial index without mints.
  if (filter.withoutMints || (filter.action ?? 'mintIdentityUrl') !== 'mintIdentityUrl')
    query = query.where(sql<SqlBool>`action <> 'mintIdentityUrl'`);
  return query.execute();
}

/** Finds the names of items, and the e-mails of users, by their ids. */
export async function findNames(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM (
      SELECT organization_id, id, email AS name FROM users
      UNION ALL SELECT organization_id, id, name FROM groups
      UNION ALL SELECT organization_id, id, name FROM companies
      UNION ALL SELECT organization_id, id, name FROM workspaces
      UNION ALL SELECT organization_id, id, name FROM reports
      UNION ALL SELECT organization_id, id, name FROM datasets
      UNION ALL SELECT organization_id, id, name FROM rls_roles
      UNION ALL SELECT organization_id, id, name FROM api_keys
      UNION ALL SELECT id, id, name FROM organizations
    ) AS items
    WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

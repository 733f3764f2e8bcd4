import type { Selectable } from 'kysely';
import { sql, type SqlBool } from 'kysely';

import type { Database } from '../db/open.ts';
import type { Schema } from '../db/schema.ts';

export type ActivityRow = Selectable<Schema['activity_entries']> & { api_key_name: string | null };

/**
 * Writes the entry of what was done; of what was refused only where the organization is there: of
 * one that was deleted nothing is to stay, such as the e-mails that its last requests named. Who
 * holds its row is deleting it, and is not waited for.
 */
export async function insertEntry(
  db: Database,
  entry: {
    organizationId: string;
    apiKeyId: string | undefined;
    operator: string | undefined;
    action: string;
    subject: string;
    details: object | undefined;
    refusal: string | undefined;
  },
): Promise<void> {
  const existing = sql`
    FROM organizations WHERE id = ${entry.organizationId} FOR KEY SHARE SKIP LOCKED`;
  await sql`
    INSERT INTO activity_entries
      (organization_id, api_key_id, operator, action, subject, details, refusal)
    SELECT ${entry.organizationId}::uuid, ${entry.apiKeyId ?? null}::uuid, ${entry.operator ?? null},
      ${entry.action}, ${entry.subject}, ${entry.details ? JSON.stringify(entry.details) : null}::jsonb,
      ${entry.refusal ?? null}
    ${entry.refusal === undefined ? sql`` : existing}`.execute(db);
}

export interface ActivityFilter {
  /** Only what happened before the entry with this id. */
  beforeId?: number | undefined;
  action?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  refused?: boolean | undefined;
  /** Leaves the mints out, which are nearly all of it. */
  withoutMints?: boolean | undefined;
  limit: number;
}

/** Newest first, each with the name that its key has today. */
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
  if (filter.from) query = query.where('activity_entries.created_at', '>=', filter.from);
  if (filter.to) query = query.where('activity_entries.created_at', '<', filter.to);
  if (filter.refused) query = query.where('refusal', 'is not', null);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  // In these very words it is the condition of the index that leaves the mints out.
  if (filter.withoutMints || (filter.action ?? 'mintIdentityUrl') !== 'mintIdentityUrl')
    query = query.where(sql<SqlBool>`action <> 'mintIdentityUrl'`);
  return query.execute();
}

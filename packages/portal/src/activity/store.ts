import type { Selectable } from 'kysely';

import type { Database } from '../db/open.ts';
import type { Schema } from '../db/schema.ts';

export type ActivityRow = Selectable<Schema['activity_entries']> & { api_key_name: string | null };

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
  await db
    .insertInto('activity_entries')
    .values({
      organization_id: entry.organizationId,
      api_key_id: entry.apiKeyId ?? null,
      operator: entry.operator ?? null,
      action: entry.action,
      subject: entry.subject,
      details: entry.details ? JSON.stringify(entry.details) : null,
      refusal: entry.refusal ?? null,
    })
    .execute();
}

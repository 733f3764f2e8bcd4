import type { Page } from '@portal-embed/contract';
import { sql, type Selectable, type SqlBool } from 'kysely';

import { contains, emailKey } from '../db/filters.ts';
import type { Database } from '../db/open.ts';
import { readPage, type PageRequest } from '../db/paging.ts';
import type { Schema } from '../db/schema.ts';

export type AuditRow = Selectable<Schema['audit_entries']>;

export interface AuditFilter extends PageRequest {
  userEmail?: string | undefined;
  reportName?: string | undefined;
  reportId?: string | undefined;
  action?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export function listEntries(
  db: Database,
  organizationId: string,
  filter: AuditFilter,
): Promise<Page<AuditRow>> {
  let query = db
    .selectFrom('audit_entries')
    .where('organization_id', '=', organizationId)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (filter.userEmail) query = query.where('user_email_key', '=', emailKey(filter.userEmail));
  if (filter.reportName) query = query.where(contains('report_name', filter.reportName));
  if (filter.reportId) query = query.where('report_id', '=', filter.reportId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.from) query = query.where('created_at', '>=', new Date(filter.from));
  if (filter.to) query = query.where('created_at', '<', new Date(filter.to));
  return readPage(query, filter);
}

export async function insertEntry(
  db: Database,
  entry: {
    organizationId: string;
    userId: string;
    userEmail: string;
    reportId: string;
    reportName: string;
    action: number;
  },
): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      organization_id: entry.organizationId,
      user_id: entry.userId,
      user_email: entry.userEmail,
      user_email_key: emailKey(entry.userEmail),
      report_id: entry.reportId,
      report_name: entry.reportName,
      action: entry.action,
    })
    .execute();
}

/** Where an export has got to. As text, since a `Date` has no microseconds. */
export interface ExportPosition {
  moment: string;
  id: string;
}

export interface ExportFilter {
  userEmail?: string | undefined;
  from?: Date | undefined;
  to: Date;
}

/** Entries oldest first, from behind `position` on. */
export async function listEntriesAfter(
  db: Database,
  organizationId: string,
  filter: ExportFilter,
  position: ExportPosition | undefined,
  limit: number,
): Promise<(AuditRow & ExportPosition)[]> {
  let query = db
    .selectFrom('audit_entries')
    .where('organization_id', '=', organizationId)
    .where('created_at', '<', filter.to)
    .selectAll()
    .select(sql<string>`created_at::text`.as('moment'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  if (filter.userEmail) query = query.where('user_email_key', '=', emailKey(filter.userEmail));
  if (filter.from) query = query.where('created_at', '>=', filter.from);
  if (position)
    query = query.where(
      sql<SqlBool>`(created_at, id) > (${position.moment}::timestamptz, ${position.id}::uuid)`,
    );
  return query.execute();
}

import type { Database } from '../../src/db/connection/open.ts';

/** Writes entries of the access log dated `days` ago, or `at` a given time. */
export async function insertAuditEntries(
  db: Database,
  organization: { id: string; reportId: string },
  entries: {
    days?: number;
    email: string;
    /** Default: the id of no user. */
    userId?: string;
    reportName?: string;
    at?: Date;
    action?: number;
  }[],
): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values(
      entries.map(({ days = 0, email, userId, reportName = 'Orders', at, action = 1 }) => ({
        organization_id: organization.id,
        created_at: at ?? new Date(Date.now() - days * 86_400_000),
        user_id: userId ?? organization.id,
        user_email: email,
        user_email_key: email,
        report_id: organization.reportId,
        report_name: reportName,
        action,
      })),
    )
    .execute();
}

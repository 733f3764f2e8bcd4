import { auditActionNames, type AuditEntry } from '@portal-embed/contract';

import type { AuditRow } from './store.ts';

export const presentEntry = (row: AuditRow): Required<AuditEntry> => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  organizationId: row.organization_id,
  userId: row.user_id,
  userEmail: row.user_email,
  reportId: row.report_id,
  reportName: row.report_name,
  action: row.action,
  actionName: auditActionNames[row.action] ?? '',
});

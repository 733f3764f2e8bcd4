import type { User } from '@portal-embed/contract';

import type { UserRow } from './store.ts';

export const presentUser = (row: UserRow): Required<User> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  reports: row.reports,
  companies: row.companies,
  groups: row.groups,
  reportLandingPage: row.report_landing_page,
  department: row.department,
  expirationDate: row.expiration_date?.toISOString() ?? null,
  directoryAdUser: row.directory_ad_user,
  canEditReport: row.can_edit_report,
  canCreateReport: row.can_create_report,
  canOverwriteReport: row.can_overwrite_report,
});

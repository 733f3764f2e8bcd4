import type { RlsRole } from '@portal-embed/contract';

import type { RoleRow } from './roles-store.ts';

export const presentRole = (row: RoleRow): Required<RlsRole> => ({
  id: row.id,
  name: row.name,
  users: row.users,
  groups: row.groups,
  datasetId: row.dataset_id,
  userEmails: row.user_emails,
});

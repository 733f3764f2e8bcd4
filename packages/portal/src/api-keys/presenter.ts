import type { AdminApiKey } from '#admin/requests';

import type { ApiKeyRow } from './store.ts';

/** A key without its secret. */
export const presentApiKey = (row: ApiKeyRow): AdminApiKey => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions as AdminApiKey['permissions'],
  state: row.live ? 'live' : row.revoked_at ? 'revoked' : 'expired',
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastRefusedAt: row.last_refused_at?.toISOString() ?? null,
  replacedBy: row.replaced_by,
});

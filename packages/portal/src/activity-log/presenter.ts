import type { ActivityRow } from './store.ts';

export const presentActivity = (row: ActivityRow) => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  organizationId: row.organization_id,
  actor: presentActor(row),
  action: row.action,
  subject: row.subject,
  details: row.details,
  refusal: row.refusal,
  /** Number of equal refusals in this entry; `lastAt` is the time of the latest. */
  count: row.count,
  lastAt: (row.last_at ?? row.created_at).toISOString(),
});

function presentActor(row: ActivityRow) {
  if (row.api_key_id) return { kind: 'api-key', id: row.api_key_id, name: row.api_key_name };
  if (row.user_id) return { kind: 'user', id: row.user_id, name: row.user_email };
  if (row.operator !== null) return { kind: 'operator', name: row.operator };
  return { kind: 'anonymous', name: null };
}

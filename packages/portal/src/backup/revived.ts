import type { RestoreSession } from './session.ts';

/** What works again after a restore, also if it was removed or revoked after the backup. */
export interface Revived {
  organizations: number;
  users: number;
  apiKeys: number;
  /** Passwords of administrators, contributors and operators. */
  passwords: number;
  operators: number;
  identityProviders: number;
  connectionGrants: number;
}

export async function reviewRestored(target: RestoreSession): Promise<Revived> {
  const rows = await target.query<Revived>(`
    SELECT (SELECT count(*)::int4 FROM organizations) AS organizations,
      (SELECT count(*)::int4 FROM users) AS users,
      (SELECT count(*)::int4 FROM api_keys WHERE ${liveKey}) AS "apiKeys",
      (SELECT count(*)::int4 FROM admin_accounts WHERE password_hash IS NOT NULL) AS passwords,
      (SELECT count(*)::int4 FROM operators) AS operators,
      (SELECT count(*)::int4 FROM organization_oidc) AS "identityProviders",
      (SELECT count(*)::int4 FROM connection_grants) AS "connectionGrants"`);
  return rows[0]!;
}

const liveKey = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

/**
 * Revokes all API keys and records it in the activity log of each organization.
 *
 * @param operator the name in the log
 * @returns how many keys worked until now
 */
export async function revokeKeys(target: RestoreSession, operator: string): Promise<number> {
  const rows = await target.query(
    `WITH revoked AS (
       UPDATE api_keys SET revoked_at = now() WHERE ${liveKey} RETURNING organization_id, id
     )
     INSERT INTO activity_entries (organization_id, operator, action, subject, details)
     SELECT organization_id, $1, 'revokeApiKey', id::text, '{"keepSessions": false}' FROM revoked
     RETURNING id`,
    [operator],
  );
  return rows.length;
}

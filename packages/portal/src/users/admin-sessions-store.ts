import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';

/** Ends the sessions of a user, for example because their role has changed. */
export async function endUserSessions(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<void> {
  await sql`
    DELETE FROM admin_sessions USING admin_accounts
    WHERE admin_accounts.id = account_id
      AND organization_id = ${organizationId} AND user_id = ${userId}`.execute(db);
}

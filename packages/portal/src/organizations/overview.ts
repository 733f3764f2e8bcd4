import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { setupSteps, type OrganizationOverview } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { isApiKeyLive } from '../api-keys/store.ts';

interface ExpiringRow {
  id: string;
  name: string;
  expires_at: Date;
}

/** The completed setup steps of an organization, and its keys and users that expire soon. */
export async function readOverview({
  db,
  organizationId,
  ...ctx
}: Context): Promise<OrganizationOverview> {
  requireAdministrator(ctx);
  const has = (table: string, condition = sql`true`) =>
    sql`EXISTS (SELECT FROM ${sql.table(table)}
      WHERE organization_id = ${organizationId} AND ${condition})`;
  const { rows } = await sql<Record<(typeof setupSteps)[number], boolean>>`
    SELECT ${has('reports', sql`archived_at IS NULL`)} AS report,
      ${has('users', sql`role = 3`)} AS user,
      ${has('report_users')} OR ${has('report_groups')} AS access,
      ${has('organization_addresses')} AS address,
      ${has('organization_embed_origins')} AS "embedOrigin",
      ${has('api_keys', isApiKeyLive)} AS "apiKey",
      ${has('audit_entries', sql`action = ${auditActions.tokenRequested}`)} AS opened`.execute(db);
  const soon = sql`BETWEEN now() AND now() + interval '30 days'`;
  const keys = await sql<ExpiringRow>`
    SELECT id, name, expires_at FROM api_keys
    WHERE organization_id = ${organizationId} AND revoked_at IS NULL AND expires_at ${soon}
    ORDER BY expires_at LIMIT 10`.execute(db);
  const users = await sql<ExpiringRow>`
    SELECT id, email AS name, expiration_date AS expires_at FROM users
    WHERE organization_id = ${organizationId} AND expiration_date ${soon}
    ORDER BY expiration_date LIMIT 10`.execute(db);
  return {
    done: setupSteps.filter((step) => rows[0]![step]),
    keys: keys.rows.map(({ id, name, expires_at: at }) => ({
      id,
      name,
      expiresAt: at.toISOString(),
    })),
    users: users.rows.map(({ id, name: email, expires_at: at }) => ({
      id,
      email,
      expiresAt: at.toISOString(),
    })),
  };
}

import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';

import { setupSteps, type OrganizationOverview } from '#admin/requests';

import { countByDay } from '../access-log/store.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { isApiKeyLive } from '../api-keys/store.ts';
import type { ReportTimes } from '../platforms/report-times.ts';
import { findLateData } from './late-data.ts';
import * as store from './overview-store.ts';

interface ExpiringRow {
  id: string;
  name: string;
  expires_at: Date;
}

/** Maximum length of each list. */
const maxItems = 5;

/**
 * What an administrator should know: use, problems and what ends soon, and the completed setup steps.
 * Each query reads a limited number of rows.
 *
 * @param reportTimes the computations of this instance
 */
export async function readOverview(
  ctx: Context,
  reportTimes: ReportTimes,
): Promise<OrganizationOverview> {
  requireAdministrator(ctx);
  const { since, ...readers } = await store.countReaders(ctx.db, ctx.organizationId);
  return {
    ...(await readSetup(ctx)),
    days: await countByDay(ctx.db, ctx.organizationId),
    weekStart: since.toISOString(),
    readers,
    reports: await readReports(ctx, reportTimes),
    lateData: await readLateData(ctx),
  };
}

/** The slowest reports, and those that fail most often. */
async function readReports(
  { db, organizationId }: Context,
  reportTimes: ReportTimes,
): Promise<OrganizationOverview['reports']> {
  const times = reportTimes.list(organizationId);
  const ids = times.map(({ reportId }) => reportId);
  const names = await store.findItemNames(db, organizationId, 'reports', ids);
  const named = times.flatMap(({ reportId: id, ...time }) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name, ...time }];
  });
  return {
    since: reportTimes.since.toISOString(),
    slow: named
      .flatMap(({ id, name, medianMs }) => (medianMs === null ? [] : [{ id, name, medianMs }]))
      .toSorted((a, b) => b.medianMs - a.medianMs)
      .slice(0, maxItems),
    failing: named
      .filter(({ failures }) => failures > 0)
      .toSorted((a, b) => b.failures - a.failures)
      .slice(0, maxItems)
      .map(({ id, name, failures, computations }) => ({ id, name, failures, computations })),
  };
}

async function readLateData({
  db,
  organizationId,
}: Context): Promise<OrganizationOverview['lateData']> {
  const updates = await store.listDataUpdates(db, organizationId);
  const late = findLateData(updates, new Date());
  const ids = late.map(({ datasetId }) => datasetId);
  const names = await store.findItemNames(db, organizationId, 'datasets', ids);
  return late
    .flatMap(({ datasetId: id, updatedAt, usualMs }) => {
      const name = names.get(id);
      return name === undefined
        ? []
        : [
            {
              id,
              name,
              updatedAt: updatedAt.toISOString(),
              usualHours: Math.round(usualMs / 3_600_000),
            },
          ];
    })
    .slice(0, maxItems);
}

/** The completed setup steps, and the keys and users that expire soon. */
async function readSetup({
  db,
  organizationId,
}: Context): Promise<Pick<OrganizationOverview, 'done' | 'keys' | 'users'>> {
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

import path from 'node:path';

import { sql } from 'kysely';
import type { Answer } from 'test-support';
import { expect } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import { openAdminBrowser, signInAs, type AdminBrowser } from './admin.ts';
import { apply, ordersFiles, writeFiles } from './content-files.ts';
import { ordersCsv } from './orders.ts';
import { startTestPortal } from './portal.ts';

export type ReportStage = Awaited<ReturnType<typeof openReportStage>>;

/**
 * Starts a portal whose organizations have the report of `ordersFiles`, and signs in to the
 * administration of `acme` in each role.
 */
export async function openReportStage() {
  const portal = await startTestPortal({ trustProxy: true });
  const { acme, globex, db } = portal;
  for (const { id, ctx } of [acme, globex]) {
    writeFiles(path.join(portal.datasetFolder, id), { 'orders.csv': ordersCsv });
    await apply(ctx, portal.datasetFolder, { files: ordersFiles });
  }

  async function findId(table: 'reports' | 'datasets', organizationId: string): Promise<string> {
    const { id } = await db
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('slug', '=', 'orders')
      .executeTakeFirstOrThrow();
    return id;
  }
  const reportId = await findId('reports', acme.id);
  const datasetId = await findId('datasets', acme.id);
  const foreignReportId = await findId('reports', globex.id);
  const admin = await signInAs(portal, acme, 1, 'ada@acme.example');
  const contributor = await signInAs(portal, acme, 2, 'cora@acme.example');
  const limited = await signInAs(portal, acme, 4, 'will@acme.example');
  const operator = await signInAs(portal, acme, 'operator', 'op@portal.example');
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
  await linkUsers(acme.ctx, { datasetId, role: 'East', usersEmails: ['cora@acme.example'] });

  const at = (rest: string) => `/organizations/${acme.id}${rest}`;
  return {
    portal,
    admin,
    contributor,
    limited,
    operator,
    nobody: openAdminBrowser(portal),
    reportId,
    datasetId,
    foreignReportId,
    findId,
    at,
    definition: at(`/definitions/reports/${reportId}`),
    read: async (browser: AdminBrowser, rest: string): Promise<ReturnType<Answer['json']>> => {
      const answer = await browser.send('GET', at(rest));
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.json();
    },
    /** Makes `limited` a contributor to a workspace, by its name. */
    contributeTo: async (workspace: string): Promise<void> => {
      await sql`INSERT INTO workspace_contributors (organization_id, workspace_id, user_id)
        SELECT workspaces.organization_id, workspaces.id, users.id FROM workspaces, users
        WHERE workspaces.organization_id = ${acme.id} AND workspaces.name = ${workspace}
          AND users.organization_id = ${acme.id} AND email = 'will@acme.example'
        ON CONFLICT DO NOTHING`.execute(db);
    },
    setFlags: (email: string, flags: Record<string, boolean>) =>
      db.updateTable('users').set(flags).where('email', '=', email).execute(),
  };
}

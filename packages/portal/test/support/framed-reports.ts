import { randomUUID } from 'node:crypto';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { applyCatalogue } from '../../src/catalogue/apply.ts';
import { inTransaction } from '../../src/db/connection/open.ts';
import type { LocalFrames, LocalReport } from './local-frame-platform.ts';
import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';

/**
 * Adds a report in a frame of the local product. `holders` have its role, and they and `readers` may
 * open it.
 */
export async function addFramedReport(
  portal: Pick<TestPortal, 'db'>,
  { ctx, id: organizationId }: TestOrganization,
  { platform }: LocalFrames,
  {
    name = 'Framed',
    source = {},
    holders,
    readers = [],
  }: { name?: string; source?: LocalReport; holders: string[]; readers?: string[] },
): Promise<{ datasetId: string; reportId: string }> {
  const [datasetId, reportId] = [randomUUID(), randomUUID()];
  const role = { name: 'Staff', definition: null };
  await inTransaction(portal.db, (db) =>
    applyCatalogue(db, organizationId, platform, {
      datasets: [{ id: datasetId, name, source: {}, rowAccess: 'by-role', roles: [role] }],
      reports: [{ id: reportId, name, description: null, workspace: 'Frames', datasetId, source }],
    }),
  );
  for (const userEmail of [...holders, ...readers])
    await linkReports(ctx, { userEmail, reports: [reportId] });
  await linkUsers(ctx, { datasetId, role: role.name, usersEmails: holders });
  return { datasetId, reportId };
}

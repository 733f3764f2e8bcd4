import path from 'node:path';

import { permissions } from '@portal-embed/contract';

import { createGroup } from '../../src/access/create-group.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { operatorContext, type Context } from '../../src/actor/actor.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { createOrganization, setOrigins } from '../../src/organizations/service.ts';
import { createUser } from '../../src/users/service.ts';
import { addItems, regionRole } from './items.ts';

/** An organization with a fixed set of users, reports and roles. */
export interface TestOrganization {
  ctx: Context;
  id: string;
  /** Its registered portal address. */
  address: string;
  embedOrigin: string;
  /** Has every permission. */
  apiKey: string;
  datasetId: string;
  /** Every user but `outsider` may open it; the dataset has the roles West and East. */
  reportId: string;
  /** No user is linked to it directly. Members of the group may open it. */
  groupReportId: string;
  groupId: string;
  emails: Record<'west' | 'east' | 'both' | 'none' | 'outsider', string>;
}

/** Creates an organization with users, a dataset and two reports. */
export async function createTestOrganization(
  { dataDir, ...scope }: { db: Database; publicUrl: string; dataDir: string },
  slug: string,
): Promise<TestOrganization> {
  const port = new URL(scope.publicUrl).port;
  const id = await createOrganization(scope.db, { slug, name: slug, accentColor: '#0f6e56' });
  const ctx = operatorContext({ ...scope, organizationId: id });
  const address = `http://${slug}.portal.localhost:${port}`;
  const embedOrigin = `http://${slug}.localhost:3000`;
  await setOrigins(ctx, { addresses: [address], embedOrigins: [embedOrigin] });

  const email = (name: string) => `${name}@${slug}.example`;
  const emails = {
    west: email('west'),
    east: email('east'),
    both: email('both'),
    none: email('none'),
    outsider: email('outsider'),
  };
  for (const [name, userEmail] of Object.entries(emails))
    await createUser(ctx, { email: userEmail, name, role: 3 });

  const { datasets, reports } = await addItems(ctx, path.join(dataDir, 'datasets'), {
    datasets: { sales: { name: 'Orders', roles: [regionRole('West'), regionRole('East')] } },
    reports: {
      sales: { name: 'Orders', dataset: 'sales' },
      leads: { name: 'Orders of the group', workspace: 'Leads', dataset: 'sales' },
    },
  });
  const { sales: datasetId = '' } = datasets;
  const { sales: reportId = '', leads: groupReportId = '' } = reports;
  for (const userEmail of [emails.west, emails.east, emails.both, emails.none])
    await linkReports(ctx, { userEmail, reports: [reportId] });
  const groupId = await createGroup(ctx, {
    name: 'Leads',
    memberEmails: [emails.both],
    reports: [groupReportId],
  });
  for (const region of ['West', 'East'] as const) {
    const holder = region === 'West' ? emails.west : emails.east;
    const usersEmails = [holder, emails.both];
    await linkUsers(ctx, { datasetId, role: region, usersEmails });
  }
  const { key: apiKey } = await createApiKey(ctx, { name: 'test', permissions });
  return {
    ctx,
    id,
    address,
    embedOrigin,
    apiKey,
    datasetId,
    reportId,
    groupReportId,
    groupId,
    emails,
  };
}

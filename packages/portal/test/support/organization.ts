import { permissions } from '@portal-embed/contract';
import type { FlatReport } from '@portal-embed/report-model';

import { createGroup } from '../../src/access/create-group.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createRole } from '../../src/access/roles.ts';
import { operatorContext, type Context } from '../../src/actor/actor.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import type { Database } from '../../src/db/connection/open.ts';
import { createOrganization, setOrigins } from '../../src/organizations/service.ts';
import { importDataset, importReport } from '../../src/reports/service.ts';
import { createUser } from '../../src/users/service.ts';

/** Rows of `orders.csv`; by region: West 30, East 40. */
export const ordersCsv = `Region,Owner,Category,Ordered,Sales
West,west@acme.example,Chairs,2024-01-03,10
West,west@acme.example,Desks,2024-02-03,20
East,east@acme.example,Chairs,2024-01-09,15
East,EAST@acme.example,Desks,2024-03-01,25
`;

export const definition: FlatReport = {
  tiles: [
    {
      id: 'total',
      title: 'Total sales',
      mark: 'kpi',
      measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
    },
    {
      id: 'by-month',
      title: 'Sales by month',
      mark: 'line',
      dimension: { label: 'Month', column: 'Ordered', by: 'month' },
      measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
    },
    {
      id: 'by-category',
      title: 'Sales by category',
      mark: 'bar',
      dimension: { label: 'Category', column: 'Category' },
      measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
    },
  ],
};

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

export async function createTestOrganization(
  scope: { db: Database; publicUrl: string },
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

  const datasetId = await importDataset(ctx, { name: 'Orders', file: 'orders.csv' });
  const report = { description: null, datasetId, definition };
  const reportId = await importReport(ctx, { ...report, name: 'Orders', workspaceName: 'Sales' });
  const groupReportId = await importReport(ctx, {
    ...report,
    name: 'Orders of the group',
    workspaceName: 'Leads',
  });
  for (const userEmail of [emails.west, emails.east, emails.both, emails.none])
    await linkReports(ctx, { userEmail, reports: [reportId] });
  const groupId = await createGroup(ctx, {
    name: 'Leads',
    memberEmails: [emails.both],
    reports: [groupReportId],
  });
  for (const region of ['West', 'East'] as const) {
    await createRole(ctx, {
      datasetId,
      name: region,
      predicate: { column: 'Region', in: [region] },
    });
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

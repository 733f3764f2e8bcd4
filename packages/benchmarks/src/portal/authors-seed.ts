import fs from 'node:fs';
import path from 'node:path';

import { permissions } from '@portal-embed/contract';
import {
  applyContent,
  createApiKey,
  createOrganization,
  createUser,
  inviteUser,
  linkReports,
  listReports,
  openDatabase,
  operatorContext,
  setOrigins,
} from '@portal-embed/portal';
import { costlyOrders, costlyReports, ordersDataset } from 'test-support/costly-content';

import { address, publicUrl } from './readers-seed.ts';

/** At which the pages of the contributor's organization are reached. */
export const authorsAddress = 'http://authors.portal.localhost:4999';

export const contributor = 'author@authors.example';
export const quietReader = 'reader@quiet.example';

export interface Authors {
  organizationId: string;
  /** Key of the contributor's organization. */
  apiKey: string;
  /** Invitation of the contributor. */
  token: string;
  /** Report ids by their names. */
  reportIds: Record<string, string>;
  /** Key of the organization that mints. */
  quietKey: string;
}

/** Seeds an organization with a contributor and costly reports, and one that only mints. */
export async function seedAuthors(databaseUrl: string, dataDir: string): Promise<Authors> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir });
  const open = async (slug: string, at: string) => {
    const organization = { slug, name: slug, accentColor: '#0f6e56' };
    const organizationId = await createOrganization(db, organization);
    const ctx = operatorContext({ db, organizationId, publicUrl });
    await setOrigins(ctx, { addresses: [at], embedOrigins: [] });
    return { ctx, ...(await createApiKey(ctx, { name: 'benchmark', permissions })) };
  };
  try {
    const { ctx, key: apiKey } = await open('authors', authorsAddress);
    const { organizationId } = ctx;
    const datasetFolder = path.join(dataDir, 'datasets');
    const data = path.join(datasetFolder, organizationId, 'orders.csv');
    fs.mkdirSync(path.dirname(data), { recursive: true });
    fs.writeFileSync(data, costlyOrders);
    const files = Object.entries(costlyReports).map(([name, text]) => [
      `reports/${name}.yaml`,
      text.replace('name: Costly', `name: ${name}`),
    ]);
    const all = Object.fromEntries([['datasets/orders.yaml', ordersDataset], ...files]);
    await applyContent(ctx, { datasetFolder }, { files: all });
    await createUser(ctx, { email: contributor, name: 'Author', role: 2 });
    const { data: reports } = await listReports(ctx, { pageNumber: 1, pageSize: 10 });
    const reportIds = Object.fromEntries(reports.map(({ name, id }) => [name, id]));
    await linkReports(ctx, { userEmail: contributor, reports: Object.values(reportIds) });
    const { token } = await inviteUser(ctx, { email: contributor });
    const quiet = await open('quiet', address);
    await createUser(quiet.ctx, { email: quietReader, name: 'Reader', role: 3 });
    return { organizationId, apiKey, token, reportIds, quietKey: quiet.key };
  } finally {
    await close();
  }
}

import path from 'node:path';

import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { TilesView } from '#viewer/requests';

import { linkReports } from '../../src/access/report-links.ts';
import { requireSession } from '../../src/viewer-sessions/service.ts';
import { viewReport } from '../../src/viewing/report.ts';
import { apply, ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession } from '../support/viewer.ts';

const secret = ordersDataset;
const open = ordersDataset
  .replace('orders.csv', 'public.csv')
  .replace('source:', 'rowAccess: everyone\nsource:')
  .replace(/roles:[^]*/, '');

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), {
    'orders.csv': ordersCsv,
    'public.csv': `${ordersCsv.split('\n').slice(0, 2).join('\n')}\n`,
  });
  const report = ordersReport.replace('dataset: orders', 'dataset: open');
  await apply(portal.acme.ctx, portal.datasetFolder, {
    files: {
      'datasets/orders.yaml': secret,
      'datasets/open.yaml': open,
      'reports/orders.yaml': report,
    },
  });
});
afterAll(() => portal.close());

/** Views a report, and applies content after the first result with a column has arrived. */
async function viewDuring(column: string, files: Record<string, string>): Promise<number> {
  const { acme, db, platforms, datasetFolder } = portal;
  const { ctx, emails } = acme;
  const applied = await apply(ctx, datasetFolder, {
    files: { 'reports/orders.yaml': ordersReport },
    dryRun: true,
  });
  const reportId = applied.changes[0]!.id;
  await linkReports(ctx, { userEmail: emails.none, reports: [reportId] });
  const { bearer } = await startSession(portal, acme, { userEmail: emails.none });
  const session = await requireSession(db, { bearer, address: acme.address });
  let isApplied = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const [row] = result.rows;
      if (isApplied || !row || !(column in row)) return result;
      isApplied = true;
      await apply(ctx, datasetFolder, { files });
      return result;
    },
  };
  const view = await viewReport(
    {
      db: db.withPlugin(plugin),
      platforms,
      onFailure: () => {},
      signal: new AbortController().signal,
    },
    session,
    reportId,
    { intent: 'open' },
  );
  expect(isApplied).toBe(true);
  return (view as TilesView).rowCount;
}

it('a report that moves to another dataset while it is opened has the rows of that dataset’s roles', async () => {
  expect(await viewDuring('workspace_name', { 'reports/orders.yaml': ordersReport })).toBe(0);
});

it('roles and data of a dataset that becomes open while it is read are of one version', async () => {
  const files = { 'reports/orders.yaml': ordersReport };
  await apply(portal.acme.ctx, portal.datasetFolder, { files });
  expect(await viewDuring('datasetSource', { 'datasets/orders.yaml': open })).toBe(0);
});

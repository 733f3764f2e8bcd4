import path from 'node:path';

import { send } from 'test-support';
import {
  costlyDataset,
  costlyOrders,
  costlyReports,
  costlyTexts,
  ordersDataset,
} from 'test-support/costly-content';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { apply, writeFiles } from '../support/content-files.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestOrganization, type TestOrganization } from '../support/organization.ts';
import type { TestPortal } from '../support/portal.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { mint, open, readSession, view } from '../support/viewer.ts';

// The processes that check have a lower priority than other work on the machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Processor time of the main thread without a turn of the event loop. */
const maxStopMs = 50;

const smallReport = `name: Costly
workspace: Sales
dataset: orders
pages:
  - name: Page
    rows:
      - tiles: [{ type: table, title: Regions, dimensions: [Region], metrics: [Sales] }]
`;

let database: TestDatabase;
let opened: OpenDatabase;
let portal: PortalProcess;
let acme: TestOrganization;
let author: AdminBrowser;
let reportIds: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database);
  const preload = new URL('../support/loop-stops.mjs', import.meta.url).href;
  portal = await startPortalProcess(database, {
    nodeOptions: ['--import', preload],
    env: { PORTAL_AUTHOR_RATE_LIMIT: '0', PORTAL_VIEWER_RATE_LIMIT: '0' },
  });
  const { publicUrl } = portal;
  const { db } = opened;
  acme = await createTestOrganization({ db, dataDir: database.dataDir, publicUrl }, 'acme');
  const datasetFolder = path.join(database.dataDir, 'datasets');
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': costlyOrders });
  const reports = Object.entries(costlyReports).map(([name, text]) => [
    `reports/${name}.yaml`,
    text.replace('name: Costly', `name: ${name}`),
  ]);
  const files = Object.fromEntries([['datasets/orders.yaml', ordersDataset], ...reports]);
  const { changes } = await apply(acme.ctx, datasetFolder, { files });
  reportIds = Object.fromEntries(changes.map(({ slug, id }) => [slug, id]));
  delete reportIds['orders'];
  const email = 'cora@acme.example';
  author = await signInAs({ adminUrl: publicUrl, db }, acme, 2, email);
  await linkReports(acme.ctx, { userEmail: email, reports: Object.values(reportIds) });
  // Modules are loaded and compiled.
  await check(smallReport);
  await previewSaveAndApply(smallReport);
  await openReport('emphasis');
});
afterAll(async () => {
  await portal.stop();
  await opened.close();
  await database.remove();
});

const api: TestPortal['api'] = (method, pathAndQuery, { json } = {}) =>
  send(portal.publicUrl + pathAndQuery, { method, json, headers: { 'x-api-key': acme.apiKey } });

const at = (rest: string) => `/organizations/${acme.id}${rest}`;
const definition = () => at(`/definitions/reports/${reportIds['texts']}`);
const check = (text: string) => author.send('POST', `${definition()}/check`, { json: { text } });

/** Lets the portal print its longest stop, and returns it. */
async function readLongestStop(): Promise<number> {
  const printed = () => [...portal.output().matchAll(/longest stop: ([\d.]+) ms/g)];
  const before = printed().length;
  process.kill(portal.pid, 'SIGWINCH');
  await expect.poll(() => printed().length).toBe(before + 1);
  return Number(printed().at(-1)![1]);
}

/** Runs requests, and returns the longest stop of the portal meanwhile. */
async function measure(requests: () => Promise<unknown>): Promise<number> {
  await readLongestStop();
  await requests();
  return readLongestStop();
}

async function previewSaveAndApply(text: string) {
  const { version } = (await author.send('GET', definition())).json();
  const answers = await Promise.all([
    author.send('POST', at(`/reports/${reportIds['texts']}/preview`), { json: { text } }),
    author.send('PUT', definition(), { json: { text, version } }),
    api('PUT', '/api/content', { json: { files: { 'reports/costly.yaml': text }, dryRun: true } }),
  ]);
  return answers.map(({ status }) => status);
}

/** Opens a report as a document, and returns its requests to repeat. */
async function openReport(name: string) {
  const reportId = reportIds[name]!;
  const openDocument = async () =>
    open(await mint({ api }, acme, { userEmail: 'cora@acme.example', reportId }), {
      'sec-fetch-dest': 'document',
    });
  const { bearer } = readSession(await openDocument());
  const requests = () => Promise.all([openDocument(), view(acme.address, bearer, reportId)]);
  for (const { status } of await requests()) expect(status).toBe(200);
  return requests;
}

const texts = { ...costlyTexts, ...costlyReports };

it('a check of what takes longest does not stop the event loop', async () => {
  // Checking this one takes the whole time limit.
  const { emphasis: _, ...others } = texts;
  for (const [name, text] of Object.entries(others)) {
    const requests = async () => expect((await check(text)).status).toBe(200);
    expect([name, (await measure(requests)) < maxStopMs]).toEqual([name, true]);
  }
});

it.each(['quoted values', 'backticks', 'too many tables', 'tables'])(
  'a preview, a save and an apply of %s do not stop the event loop',
  async (name) => {
    const requests = async () => {
      for (const status of await previewSaveAndApply(texts[name]!)) {
        expect([200, 422]).toContain(status);
      }
    };
    expect(await measure(requests)).toBeLessThan(maxStopMs);
  },
);

it('an apply of the largest expressions does not stop the event loop', async () => {
  const files = { 'datasets/costly.yaml': costlyDataset('{ file: orders.csv }') };
  const request = () => api('PUT', '/api/content', { json: { files, dryRun: true } });
  expect((await request()).status).toBe(200);
  expect(await measure(request)).toBeLessThan(maxStopMs);
});

it.each(Object.keys(costlyReports))(
  'opening the report %s does not stop the event loop',
  async (name) => {
    const requests = await openReport(name);
    expect(await measure(requests)).toBeLessThan(maxStopMs);
  },
);

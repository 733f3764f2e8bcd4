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
const maxStopMs = 80;

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
  await check(costlyTexts['a long comment']!);
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
    const text = texts[name]!;
    const preview = at(`/reports/${reportIds['texts']}/preview`);
    const files = { 'reports/costly.yaml': text };
    const requests = async () => {
      const answers = await Promise.all([
        author.send('POST', preview, { json: { text } }),
        author.send('PUT', definition(), { json: { text, version: 1 } }),
        api('PUT', '/api/content', { json: { files, dryRun: true } }),
      ]);
      for (const { status } of answers) expect([200, 409, 422]).toContain(status);
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
    const reportId = reportIds[name]!;
    const userEmail = 'cora@acme.example';
    const openDocument = async () => {
      const url = await mint({ api }, acme, { userEmail, reportId });
      return open(url, { 'sec-fetch-dest': 'document' });
    };
    const { bearer } = readSession(await openDocument());
    const requests = () => Promise.all([openDocument(), view(acme.address, bearer, reportId)]);
    for (const { status } of await requests()) expect(status).toBe(200);
    expect(await measure(requests)).toBeLessThan(maxStopMs);
  },
);

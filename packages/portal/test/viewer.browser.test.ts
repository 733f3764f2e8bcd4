import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import express from 'express';
import { launchHeadless } from 'testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadAssets } from '../src/pages/assets.ts';
import { viewerBody, viewerHead } from '../src/pages/documents.ts';
import { reportSession, salesView } from '../web/test/samples.ts';

const assets = loadAssets(fileURLToPath(new URL('../dist/web', import.meta.url)));
const appearance = { organizationName: 'Acme', accentColor: undefined, embedOrigins: [] };
let browser: Awaited<ReturnType<typeof launchHeadless>>;
/** Ends the document with the session and the report's data. */
let complete: () => void;

const app = express();
app.use('/assets', express.static(assets.folder));
app.get('/identity', (_, res) => {
  res.type('html').write(viewerHead(assets, 'nonce', appearance, 'Superstore sales'));
  complete = () => res.end(viewerBody({ ...reportSession, view: salesView }));
});
const server = createServer(app);

beforeAll(async () => {
  browser = await launchHeadless();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await browser.close();
  server.close();
});

it('runs its scripts, charts too, while the report is still computed', async () => {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/identity?token=t`, {
    waitUntil: 'commit',
  });
  const ran = new Set<string>();
  const readRun = async () => {
    const { result } = await devtools.send('Profiler.takePreciseCoverage');
    for (const { url, functions } of result)
      if (functions[0]!.ranges[0]!.count > 0) ran.add(url.replace(/^.*?(?=\/assets)/, ''));
    return [...ran];
  };
  await expect.poll(readRun).toEqual(expect.arrayContaining([assets.script, ...assets.preloads]));
  expect(await page.locator('#viewer').count()).toBe(0);
  complete();
  await page.getByText('$725,458').waitFor();
  await expect.poll(() => page.locator('figure svg').count()).toBe(2);
  expect(new URL(page.url()).pathname).toBe(reportSession.path);
  await page.close();
});

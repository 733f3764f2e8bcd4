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
const appearance = { organizationName: 'Acme', accentColor: undefined, embedOrigins: ['*'] };
const viewPath = `/viewer/reports/${reportSession.reportId}/view`;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
/** Ends the document with the session and the report's data. */
let complete: () => void;

const app = express();
app.use('/assets', express.static(assets.folder));
app.get('/identity', (_, res) => {
  res.type('html').write(viewerHead(assets, 'nonce', appearance, 'Superstore sales'));
  complete = () => res.end(viewerBody({ ...reportSession, view: salesView }));
});
app.get('/framed', (_, res) => {
  const head = viewerHead(assets, 'nonce', appearance, 'Superstore sales');
  res.type('html').send(head + viewerBody(reportSession));
});
app.post(viewPath, (_, res) => {
  res.json(salesView);
});
app.get('/silent-host', (_, res) => {
  res.type('html').send('<iframe src="/framed"></iframe>');
});
app.get('/auto-height-host', (_, res) => {
  res.type('html').send(`
    <script>
      const heights = [];
      addEventListener('message', ({ source }) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => data.type === 'resized' && heights.push(data.height);
        source.postMessage({ portalEmbed: 1, type: 'connect', autoHeight: true }, '*', [port2]);
      });
    </script>
    <iframe src="/framed"></iframe>`);
});
const server = createServer(app);
const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  browser = await launchHeadless();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await browser.close();
  server.close();
});

it('the viewer page runs its scripts, charts too, while the report is still computed', async () => {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
  await page.goto(urlOf('/identity?token=t'), { waitUntil: 'commit' });
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

it('a framed page waits 250 ms for the host’s message, then requests its report', async () => {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto(urlOf('/silent-host'));
  const frame = page.frameLocator('iframe');
  await frame.getByText('Loading…').waitFor({ state: 'attached' });
  await page.clock.runFor(249);
  expect(requests).not.toContain(viewPath);
  await page.clock.runFor(1);
  await expect.poll(() => requests).toContain(viewPath);
  await frame.getByText('$725,458').waitFor();
  await page.close();
});

it('the host gets the height of the page, rounded up', async () => {
  const page = await browser.newPage();
  await page.goto(urlOf('/auto-height-host'));
  const viewer = page.frameLocator('iframe').locator('#viewer');
  await viewer.getByText('$725,458').waitFor();
  const lastHeight = () => page.evaluate('heights.at(-1)');
  for (const [height, rounded] of [
    ['400.25px', 401],
    ['600px', 600],
  ] as const) {
    await viewer.evaluate((element, value) => {
      element.style.height = value;
    }, height);
    await expect.poll(lastHeight).toBe(rounded);
  }
  await page.close();
});

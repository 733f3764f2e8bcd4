import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { launchHeadless } from 'test-support';
import { reportSession, salesView } from 'viewer/test/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { escapeJson, viewerBody, viewerHead } from '../../src/pages/documents.ts';
import { loadBuiltAssets } from '../support/built-assets.ts';

const assets = await loadBuiltAssets();
const appearance = {
  organizationName: 'Acme',
  accentColor: undefined,
  look: null,
  homeUrl: null,
  logo: null,
  language: null,
  embedOrigins: ['*'],
  hasFrames: false,
};
const scope = { assets, appearance, language: assets.languages.get('en')! };
const viewPath = `/viewer/reports/${reportSession.reportId}/view`;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
/** Ends the document with the session and the report's data. */
let complete: () => void;

const write = (session: object) => escapeJson(JSON.stringify(session));
const app = express();
app.use('/assets', express.static(assets.folder));
app.get('/identity', (_, res) => {
  res.type('html').write(viewerHead(scope, 'Superstore sales'));
  complete = () => res.end(viewerBody(scope, write({ ...reportSession, view: salesView })));
});
app.get('/framed', (_, res) => {
  const head = viewerHead(scope, 'Superstore sales');
  res.type('html').send(head + viewerBody(scope, write(reportSession)));
});
app.post(viewPath, (_, res) => {
  res.json(salesView);
});
app.get('/silent-host', (_, res) => {
  res.type('html').send('<iframe src="/framed"></iframe>');
});
app.get('/framed-data', (_, res) => {
  const head = viewerHead(scope, 'Superstore sales');
  res.type('html').send(head + viewerBody(scope, write({ ...reportSession, view: salesView })));
});
app.get('/silent-host-of-data', (_, res) => {
  res.type('html').send('<iframe src="/framed-data"></iframe>');
});
app.get('/talking-host', (_, res) => {
  res.type('html').send(`
    <script>
      const messages = [];
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => messages.push(data);
      addEventListener('message', ({ source }) =>
        source.postMessage({ portalEmbed: 1, type: 'connect' }, '*', [port2]), { once: true });
    </script>
    <iframe src="/framed-data"></iframe>`);
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

it('the viewer page runs its script and loads that of charts while the report is still computed', async () => {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
  const loaded: string[] = [];
  page.on('requestfinished', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(urlOf('/identity?token=t'), { waitUntil: 'commit' });
  const ran = new Set<string>();
  const readRun = async () => {
    const { result } = await devtools.send('Profiler.takePreciseCoverage');
    for (const { url, functions } of result)
      if (functions[0]!.ranges[0]!.count > 0) ran.add(url.replace(/^.*?(?=\/assets)/, ''));
    return [...ran];
  };
  await expect.poll(readRun).toContain(assets.script);
  await expect.poll(() => loaded).toEqual(expect.arrayContaining(assets.preloads));
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

it('the host gets each height once, and the page has the layout of a frame with its height', async () => {
  const page = await browser.newPage();
  await page.goto(urlOf('/auto-height-host'));
  const frame = page.frameLocator('iframe');
  const viewer = frame.locator('#viewer');
  await viewer.getByText('$725,458').waitFor();
  await frame.locator('html[data-auto-height]').waitFor();
  for (const height of ['400.25px', '400.75px', '600px'])
    await viewer.evaluate(async (element, value) => {
      const { requestAnimationFrame } = globalThis as unknown as {
        requestAnimationFrame: (callback: () => void) => void;
      };
      element.style.height = value;
      // Sizes are observed between the two frames.
      for (let frames = 0; frames < 2; frames++)
        await new Promise<void>((resolve) => requestAnimationFrame(resolve));
    }, height);
  await expect.poll(() => page.evaluate('heights.at(-1)')).toBe(600);
  const rounded = await page.evaluate<number[]>('heights.filter((height) => height === 401)');
  expect(rounded).toEqual([401]);
  await page.close();
});

it('a page outside a frame requests its report at once', async () => {
  const page = await browser.newPage();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto(urlOf('/framed'));
  await page.getByText('Loading…').waitFor({ state: 'attached' });
  await page.clock.runFor(1);
  await expect.poll(() => page.getByText('$725,458').count()).toBe(1);
  await page.close();
});

it('a framed page shows the data that came with it before the host answers', async () => {
  const page = await browser.newPage();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto(urlOf('/silent-host-of-data'));
  const figure = page.frameLocator('iframe').getByText('$725,458');
  await expect.poll(() => figure.count()).toBe(1);
  await page.close();
});

it('the host is told how far the reader has scrolled, and can set the theme', async () => {
  const page = await browser.newPage();
  await page.goto(urlOf('/talking-host'));
  const frame = page.frameLocator('iframe');
  await frame.getByText('$725,458').waitFor();
  await frame.locator('html').evaluate((html) => html.scrollTo(0, 40));
  await expect
    .poll(() => page.evaluate('messages.at(-1)'))
    .toEqual({ type: 'view', view: '', scroll: 40 });
  await page.evaluate("port1.postMessage({ type: 'set-options', theme: 'dark' })");
  await frame.locator('html[data-theme=dark]').waitFor();
  await page.close();
});

it('a report whose charts cannot be loaded is shown as tables', async () => {
  const page = await browser.newPage();
  const charts = assets.preloads.find((href) => href.includes('chart-code'))!;
  await page.route(`**${charts}`, (route) => route.abort());
  await page.goto(urlOf('/framed'));
  await page.getByText('$725,458').waitFor();
  await expect.poll(() => page.locator('.tile table').count()).toBe(2);
  await page.close();
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { launchHeadless } from 'testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { setOrigins } from '../src/organizations/service.ts';
import { loadAssets } from '../src/pages/assets.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, type MintBody } from './support/viewer.ts';

let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
let page: Awaited<ReturnType<typeof browser.newPage>>;
let hostOrigin: string;

/** A host that records the messages of the frame, and keeps its latest port. */
const hostPage = `<!doctype html><link rel="icon" href="data:,">
<script>
  const boots = [], messages = [];
  let port;
  addEventListener('message', ({ data, origin, source }) => {
    boots.push(data);
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => messages.push(data);
    source.postMessage({ portalEmbed: 1, type: 'connect', ...wishes }, origin, [channel.port2]);
  });
  let wishes = {};
  const of = (type) => messages.filter((message) => message.type === type);
</script>
<iframe style="width:800px;height:500px"></iframe>`;
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end(hostPage);
});

beforeAll(async () => {
  const assets = loadAssets(fileURLToPath(new URL('../dist/web', import.meta.url)));
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  hostOrigin = `http://host.localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  await portal.close();
  server.close();
});

beforeEach(async () => {
  await setOrigins(portal.acme.ctx, { embedOrigins: [hostOrigin] });
  page = await browser.newPage();
  await page.goto(hostOrigin);
});
afterEach(() => page.close());

const frame = () => page.frameLocator('iframe');
const read = <Value>(script: string) => page.evaluate<Value>(script);
const readInFrame = <Value>(script: string) => page.frames()[1]!.evaluate<Value>(script);
const answers = (id: number) => read<{ type: string }[]>(`messages.filter((m) => m.id === ${id})`);
const expectAnswer = (id: number, answer: object) =>
  expect.poll(() => answers(id)).toContainEqual(expect.objectContaining(answer));

const load = async (path = '/embed') => {
  const url = new URL(path, portal.acme.address).href;
  await page.locator('iframe').evaluate((element, src) => {
    (element as unknown as { src: string }).src = src;
  }, url);
  await expect.poll(() => read('boots.length')).toBeGreaterThan(0);
};
type User = 'west' | 'east' | 'both';
const mintFor = (user: User, body: Partial<MintBody> = { reportId: portal.acme.reportId }) => {
  const { acme } = portal;
  return mint(portal, acme, { userEmail: acme.emails[user], ...body });
};
const filtered = (key: string, value: string) => ({
  reportId: portal.acme.reportId,
  customFilters: [{ key, value }],
});
const openUrl = (url: string, id: number) =>
  page.evaluate(`port.postMessage(${JSON.stringify({ type: 'open', url, id })})`);
const openReport = async (id: number, ...of: Parameters<typeof mintFor>) => {
  await openUrl(await mintFor(...of), id);
  await expectAnswer(id, { type: 'ready' });
};

it('the shell opens a report, and its token is in no address or resource entry', async () => {
  await load();
  expect(await read('boots')).toEqual([{ portalEmbed: 1, type: 'boot', accepts: ['open'] }]);
  const url = await mintFor('west');
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'ready', unappliedFilters: [] });
  await frame().getByText('$30').waitFor();
  const seen = await readInFrame<string[]>(
    '[location.href, document.referrer, ...performance.getEntries().map(({ name }) => name)]',
  );
  expect(seen[0]).toBe(`${portal.acme.address}/embed`);
  expect(seen.join(' ')).not.toContain(new URL(url).searchParams.get('token'));
});

it('an open before the scripts of the page have loaded is answered', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/viewer-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await load();
  await openUrl(await mintFor('west'), 1);
  await page.waitForResponse('**/identity');
  release();
  await expectAnswer(1, { type: 'ready' });
});

it('changed filters replace the numbers in place and keep the scroll position', async () => {
  await load();
  await openReport(1, 'both');
  await frame().getByText('$70').waitFor();
  await readInFrame('window.kept = true; scrollTo(0, 60)');
  await openReport(2, 'both', filtered('Region', 'East'));
  await frame().getByText('$40').waitFor();
  expect(await readInFrame('[scrollY, window.kept]')).toEqual([60, true]);
  expect(await read('boots.length')).toBe(1);
});

it('another report starts at its top', async () => {
  await load();
  await openReport(1, 'both');
  await readInFrame('scrollTo(0, 60)');
  await openReport(2, 'both', { reportId: portal.acme.groupReportId });
  await frame().getByRole('heading', { level: 1, name: 'Orders of the group' }).waitFor();
  await expect.poll(() => readInFrame('scrollY')).toBe(0);
});

it('the reader stays in the report that they opened in the whole portal', async () => {
  await load();
  await openReport(1, 'both', {});
  await frame().getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await frame().getByText('$70').waitFor();
  await openReport(2, 'both', { customFilters: [{ key: 'Region', value: 'East' }] });
  expect(await frame().getByText('$40').count()).toBe(1);
});

it('a page that was opened by its URL opens another one in place', async () => {
  await load(await mintFor('both'));
  await expect.poll(() => read('of("ready").length')).toBe(1);
  await openReport(1, 'both', filtered('Region', 'East'));
  await frame().getByText('$40').waitFor();
  expect(await read('boots.length')).toBe(1);
});

it('a used URL leaves the report and asks for another one', async () => {
  await load();
  const url = await mintFor('west');
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'ready' });
  await openUrl(url, 2);
  await expectAnswer(2, { type: 'session-required', reason: 'used' });
  expect(await frame().getByText('$30').count()).toBe(1);
});

it('an open that gets no answer asks for another URL', async () => {
  await load();
  await page.route('**/identity', (route) => route.abort());
  await openUrl(await mintFor('west'), 1);
  await expectAnswer(1, { type: 'session-required', reason: 'unknown' });
});

it('a URL of another address is ignored', async () => {
  await load();
  const url = await mintFor('west');
  await openUrl(url.replace(portal.acme.address, portal.globex.address), 1);
  await openUrl('javascript:alert(1)', 2);
  await openUrl(url, 3);
  await expectAnswer(3, { type: 'ready' });
  expect([await answers(1), await answers(2)]).toEqual([[], []]);
});

it('an embed origin that was withdrawn gets no report, and the URL stays unspent', async () => {
  await load();
  const url = await mintFor('west');
  await setOrigins(portal.acme.ctx, { embedOrigins: ['http://later.localhost:3000'] });
  await openUrl(url, 1);
  await expectAnswer(1, { type: 'failed', cause: 'blocked_by_portal' });
  await setOrigins(portal.acme.ctx, { embedOrigins: [hostOrigin] });
  await openUrl(url, 2);
  await expectAnswer(2, { type: 'ready' });
});

it('a page that is reloaded says so, and the host can open a report in it again', async () => {
  await load();
  await openReport(1, 'west');
  await readInFrame('location.reload()');
  await expect.poll(() => read('boots.length')).toBe(2);
  expect(await read('of("leaving").length')).toBe(1);
  await openReport(2, 'west');
  await frame().getByText('$30').waitFor();
});

it('a missing script asks the host for another document', async () => {
  await page.route('**/assets/viewer-*.js', (route) => route.fulfill({ status: 404 }));
  await load();
  await expect
    .poll(() => read('of("session-required")'))
    .toContainEqual({ type: 'session-required', reason: 'incomplete' });
});

it('the session of another user removes the report before theirs is drawn', async () => {
  await load();
  await openReport(1, 'west');
  await readInFrame(`
    window.seen = [];
    new MutationObserver(() => seen.push(document.body.innerText)).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });`);
  await openReport(2, 'east');
  await frame().getByText('$40').waitFor();
  const seen = await readInFrame<string[]>('seen');
  const mixed = seen.filter((text) => text.includes('east@') && /west@|\$30\b/.test(text));
  expect(mixed).toEqual([]);
  expect(seen.some((text) => !/west@|east@/.test(text))).toBe(true);
});

it('a heap snapshot after a change of user holds nothing of the previous one', async () => {
  await load();
  await openReport(1, 'west');
  await openReport(2, 'west', filtered('Category', 'Chairs'));
  await openReport(3, 'east');
  const snapshot = await takeHeapSnapshot();
  // As booleans, because a failure would print the whole snapshot.
  const { east, west } = portal.acme.emails;
  expect([snapshot.includes(east), snapshot.includes(west)]).toEqual([true, false]);
});

/** The strings of the frame's heap, after a garbage collection. */
async function takeHeapSnapshot(): Promise<string> {
  const [, child] = page.frames();
  const devtools = await page.context().newCDPSession(child!);
  const chunks: string[] = [];
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devtools.detach();
  return chunks.join('');
}

it('opened by hand, the shell says where to open the report', async () => {
  await page.goto(`${portal.acme.address}/embed`);
  const heading = page.getByRole('heading', { name: 'Open this from your application' });
  await expect.poll(() => heading.isVisible()).toBe(true);
});

it('in a frame, the shell shows nothing until a report is opened', async () => {
  await load();
  const heading = frame().getByText('Open this from your application');
  await expect.poll(() => heading.count()).toBe(1);
  await expect.poll(() => heading.isVisible()).toBe(false);
});

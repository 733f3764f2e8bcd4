import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { buildFirst } from 'test-support/build';
import { startFirefox, type Engine, type EnginePage } from 'test-support/engines';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { unlinkReports } from '../../src/access/report-links.ts';
import { setOrigins } from '../../src/organizations/service.ts';
import { loadBuiltAssets } from '../support/built-assets.ts';
import { addFramedReport } from '../support/framed-reports.ts';
import { startLocalFrames, type LocalFrames } from '../support/local-frame-platform.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
let frames: LocalFrames;
let engine: Engine;
let reportId: string;

buildFirst();
beforeAll(async () => {
  frames = await startLocalFrames();
  const assets = await loadBuiltAssets();
  [portal, engine] = await Promise.all([
    startTestPortal({ assets, platforms: [frames.platform] }),
    startFirefox(),
  ]);
  const { acme } = portal;
  ({ reportId } = await addFramedReport(portal, acme, frames, { holders: [acme.emails.both] }));
});
afterAll(async () => {
  await engine.close();
  await portal.close();
});

/** A host that answers `boot` and keeps the messages of the portal's page. */
const hostPage = (src: string) => `<!doctype html><link rel="icon" href="data:,">
<script>
  const messages = [];
  let port;
  addEventListener('message', ({ data, origin, source }) => {
    if (data.type !== 'boot') return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => messages.push(data);
    source.postMessage({ portalEmbed: 1, type: 'connect' }, origin, [channel.port2]);
  });
</script>
<iframe src="${src}" style="width:800px;height:600px"></iframe>`;

async function openHost(headers: Record<string, string> = {}, query = '') {
  const server = createServer((_, res) => {
    const page = hostPage(`${portal.acme.address}/embed${query}`);
    res.writeHead(200, { 'content-type': 'text/html', ...headers }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://host.localhost:${(server.address() as AddressInfo).port}`;
  await setOrigins(portal.acme.ctx, { embedOrigins: [origin] });
  const page = await engine.openPage();
  onTestFinished(async () => {
    await page.close();
    server.close();
  });
  await page.open(origin);
  return page;
}

// oxlint-disable-next-line no-eval -- runs in the browser, whose types are not known here
const evaluate = (script: string) => (0, eval)(script) as unknown;
const read = async <Value>(page: EnginePage, script: string) =>
  (await page.evaluate(evaluate, script)) as Value;
const readInFrame = async <Value>(page: EnginePage, script: string) =>
  (await page.evaluateInFrame(evaluate, script)) as Value;

const readMessages = (page: EnginePage) =>
  read<{ id?: number; type: string; cause?: string }[]>(page, 'messages');

async function open(page: EnginePage, id: number, report: string) {
  const { acme } = portal;
  const url = await mint(portal, acme, { userEmail: acme.emails.both, reportId: report });
  await expect.poll(() => read(page, 'port !== undefined')).toBe(true);
  await read(page, `port.postMessage(${JSON.stringify({ type: 'open', url, id })})`);
}

const expectAnswer = (page: EnginePage, id: number, type: string) =>
  expect
    .poll(() => readMessages(page), { timeout: 15_000 })
    .toContainEqual(expect.objectContaining({ id, type }));

const frameOf = (page: EnginePage) =>
  readInFrame<string | undefined>(page, `document.querySelector('iframe')?.getAttribute('src')`);
const textOf = (page: EnginePage) => readInFrame<string>(page, 'document.body.textContent');

it('Firefox changes between built-in and framed reports in one document', async () => {
  const page = await openHost();
  const { acme } = portal;
  await open(page, 1, acme.reportId);
  await expectAnswer(page, 1, 'ready');
  const { length } = frames.requests;
  await open(page, 2, reportId);
  await expectAnswer(page, 2, 'ready');
  expect(await frameOf(page)).toBe('/frames/local-frame');
  expect(frames.requests.length).toBeGreaterThan(length);
  await open(page, 3, acme.reportId);
  await expectAnswer(page, 3, 'ready');
  expect(await frameOf(page)).toBeFalsy();
  expect(await textOf(page)).toContain('$70');
});

it('Firefox says that it cannot show a framed report in an isolated page', async () => {
  const page = await openHost(
    {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
    '?isolated',
  );
  await open(page, 1, reportId);
  await expectAnswer(page, 1, 'failed');
  const failed = (await readMessages(page)).find(({ type }) => type === 'failed');
  expect(failed?.cause).toBe('blocked_by_host');
  expect(await textOf(page)).toContain('cannot be shown inside this application');
});

it('access that is withdrawn ends a frame in Firefox', async () => {
  const page = await openHost();
  const { acme } = portal;
  const { reportId: withdrawn } = await addFramedReport(portal, acme, frames, {
    holders: [acme.emails.both],
  });
  await open(page, 1, withdrawn);
  await expectAnswer(page, 1, 'ready');
  await unlinkReports(acme.ctx, { userEmail: acme.emails.both, reports: [withdrawn] });
  await readInFrame(
    page,
    `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Refresh').click()`,
  );
  await expectAnswer(page, 1, 'failed');
  expect(await frameOf(page)).toBeFalsy();
});

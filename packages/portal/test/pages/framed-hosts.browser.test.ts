import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import { loadBuiltAssets } from '../support/built-assets.ts';
import { addFramedReport } from '../support/framed-reports.ts';
import { startLocalFrames, type LocalFrames } from '../support/local-frame-platform.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;

const element = fileURLToPath(new URL('../../../react/dist/element.global.js', import.meta.url));
let portal: TestPortal;
let frames: LocalFrames;
let browser: Browser;
let reportId: string;

buildFirst();
beforeAll(async () => {
  frames = await startLocalFrames();
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([
    startTestPortal({ assets, platforms: [frames.platform] }),
    launchHeadless(),
  ]);
  const { acme } = portal;
  ({ reportId } = await addFramedReport(portal, acme, frames, { holders: [acme.emails.both] }));
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin' };
const embedder = (policy: string) => ({ 'Cross-Origin-Embedder-Policy': policy });

/** Opens a host page with the component, whose own policies are these headers. */
async function openHost(headers: Record<string, string>, init = '') {
  const { acme } = portal;
  let requests = 0;
  const server = createServer((req, res) => {
    const answer = async () => {
      if (req.url === '/portal-embed.js') {
        res.setHeader('content-type', 'text/javascript').end(fs.readFileSync(element));
        return;
      }
      if (req.method === 'GET') {
        res.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<!doctype html>
          <link rel="icon" href="data:,"><script src="/portal-embed.js"></script>
          <portal-embed portal-url="${acme.address}" style="display:block;height:600px"></portal-embed>`);
        return;
      }
      requests += 1;
      let body = '';
      for await (const part of req) body += String(part);
      const embedUrl = await mint(portal, acme, {
        userEmail: acme.emails.both,
        ...(JSON.parse(body) as object),
      });
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ embedUrl, frameChannel: true }));
    };
    void answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://host.localhost:${(server.address() as AddressInfo).port}`;
  await setOrigins(acme.ctx, { embedOrigins: [origin] });
  const page = await browser.newPage();
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  onTestFinished(async () => {
    await page.close();
    server.close();
  });
  await page.addInitScript(`${init};
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('violation', violatedDirective, blockedURI));`);
  await page.goto(origin);
  const viewer = page.frameLocator('iframe');
  const show = (id: string) =>
    page
      .locator('portal-embed')
      .evaluate((host, report) => host.setAttribute('report-id', report), id);
  return {
    page,
    viewer,
    product: viewer.frameLocator('.framed-page').frameLocator('iframe'),
    show,
    logged,
    countRequests: () => requests,
  };
}

describe.each<[string, Record<string, string>]>([
  ['no policies', {}],
  ['require-corp', { ...isolation, ...embedder('require-corp') }],
  ['credentialless', { ...isolation, ...embedder('credentialless') }],
  ['require-corp, but no opener policy', embedder('require-corp')],
])('a host with %s', (name, headers) => {
  it(`a host with ${name} changes between built-in and framed reports in one document`, async () => {
    const { page, viewer, product, show, logged } = await openHost(headers);
    expect(await page.evaluate('crossOriginIsolated')).toBe(
      'Cross-Origin-Opener-Policy' in headers,
    );
    await show(portal.acme.reportId);
    await viewer.getByText('$70').waitFor();
    const handle = await page.locator('iframe').elementHandle();
    await show(reportId);
    await product.getByRole('heading', { name: 'both@acme.example as Staff' }).waitFor();
    await show(portal.acme.reportId);
    await viewer.getByText('$70').waitFor();
    expect(await handle.evaluate((frame) => frame.isConnected)).toBe(true);
    // Chromium logs the shell that it blocks in a page without an opener policy.
    expect(logged.filter((text) => !/ERR_BLOCKED_BY_RESPONSE/.test(text))).toEqual([]);
  });
});

it('a browser without credentialless frames says that it cannot show the report in this page', async () => {
  const { page, viewer, show, countRequests } = await openHost(
    { ...isolation, ...embedder('require-corp') },
    'delete HTMLIFrameElement.prototype.credentialless',
  );
  await page.evaluate(`
    window.causes = [];
    document.querySelector('portal-embed').addEventListener('failure', ({ detail }) => causes.push(detail.cause));`);
  await show(portal.acme.reportId);
  await viewer.getByText('$70').waitFor();
  await show(reportId);
  await expect.poll(() => page.evaluate('causes')).toEqual(['blocked_by_host']);
  await page.waitForTimeout(500);
  // The whole portal, then each report once.
  expect(countRequests()).toBe(3);
});

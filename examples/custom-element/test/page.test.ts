import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { launchHeadless } from 'testing';
import { mintAnswer, startFakePortal } from 'testing/fake-portal';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createApp } from '../src/app.ts';

let portal: Awaited<ReturnType<typeof startFakePortal>>;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
let server: Server;
let user: { email: string } | null;

const report = `<!doctype html><title>Report</title><h1>The report</h1><script>
  addEventListener('message', ({ ports: [port] }) =>
    port.postMessage({ type: 'ready', unappliedFilters: [] }));
  parent.postMessage({ portalEmbed: 1, type: 'boot' }, '*');
</script>`;

beforeAll(async () => {
  browser = await launchHeadless();
  portal = await startFakePortal();
  const mint = mintAnswer();
  portal.answer((request, response) =>
    request.url.startsWith('/identity')
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(report)
      : mint(request, response),
  );
  const app = createApp({
    tenants: {
      'host.localhost': {
        apiUrl: portal.url,
        apiKey: 'key',
        organizationId: '11111111-1111-4111-8111-111111111111',
        portalUrl: portal.url.replace('127.0.0.1', 'portal.localhost'),
      },
    },
    user: () => user,
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  await browser.close();
  server.close();
  await portal[Symbol.asyncDispose]();
});

const open = async () => {
  const page = await browser.newPage();
  await page.goto(`http://host.localhost:${(server.address() as AddressInfo).port}`);
  return page;
};

it('a signed-in user sees the report, and a click on Refresh loads it with a new URL', async () => {
  portal.received.length = 0;
  user = { email: 'reader@host.example' };
  const page = await open();
  await page.frameLocator('portal-embed iframe').getByText('The report').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const minted = () => portal.received.filter(({ url }) => url === '/api/identity/url');
  await expect.poll(() => minted().length).toBe(2);
  await expect.poll(() => page.locator('#status').textContent()).toBe('ready');
  expect(minted()[0]!.body).toMatchObject({ userEmail: 'reader@host.example', hideNavbar: true });
  await page.close();
});

it('a signed-out user is asked to sign in', async () => {
  user = null;
  const page = await open();
  await page.getByRole('link', { name: 'sign in' }).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await page.close();
});

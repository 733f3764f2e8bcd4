import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { findFreePort, launchChromium, send } from 'testing';
import { mintAnswer, startFakePortal } from 'testing/fake-portal';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let portal: Awaited<ReturnType<typeof startFakePortal>>;
let browser: Awaited<ReturnType<typeof launchChromium>>;
let server: ChildProcess | undefined;
let address: string;

const report = `<!doctype html><title>Report</title><h1>The report</h1><script>
  addEventListener('message', ({ ports: [port] }) =>
    port.postMessage({ type: 'ready', unappliedFilters: [] }));
  parent.postMessage({ portalEmbed: 1, type: 'boot' }, '*');
</script>`;

const next = (...args: string[]) =>
  spawn(process.execPath, ['node_modules/next/dist/bin/next', ...args], {
    cwd: new URL('..', import.meta.url).pathname,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORTAL_API_URL: portal.url,
      PORTAL_URL: portal.url.replace('127.0.0.1', 'portal.localhost'),
      PORTAL_API_KEY: 'key',
    },
    stdio: 'inherit',
  });

beforeAll(async () => {
  browser = await launchChromium();
  portal = await startFakePortal();
  const mint = mintAnswer();
  portal.answer((request, response) =>
    request.url.startsWith('/identity')
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(report)
      : mint(request, response),
  );
  const [code] = (await once(next('build'), 'exit')) as [number];
  if (code !== 0) throw new Error('next build failed; see above.');
  const port = await findFreePort();
  address = `http://host.localhost:${port}`;
  server = next('start', '--hostname', '127.0.0.1', '--port', String(port));
  await vi.waitFor(() => send(address), 120_000);
});

afterAll(async () => {
  await browser?.close();
  if (server) {
    server.kill();
    await once(server, 'exit');
  }
  await portal?.[Symbol.asyncDispose]();
});

it('renders the place of the report on the server, and no iframe', async () => {
  const { body } = await send(address);
  expect(body).toContain('Loading report');
  expect(body).not.toContain('<iframe');
});

it('shows a signed-in user the report, hydrated without a complaint', async () => {
  portal.received.length = 0;
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.context().addCookies([{ name: 'user', value: 'reader%40host.example', url: address }]);
  await page.goto(address);
  await page.frameLocator('iframe').getByText('The report').waitFor();
  const minted = portal.received.filter(({ url }) => url === '/api/identity/url');
  expect(minted.map(({ body }) => body)).toEqual([
    expect.objectContaining({ userEmail: 'reader@host.example', hideNavbar: true }),
  ]);
  expect(complaints).toEqual([]);
  await page.close();
});

it('asks somebody signed out to sign in', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await page.getByText('Sign in to see this report').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await page.context().close();
});

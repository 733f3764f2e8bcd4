import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { sealData } from 'iron-session';
import { findFreePort, launchChromium, send } from 'testing';
import { mintAnswer, startFakePortal } from 'testing/fake-portal';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let portal: Awaited<ReturnType<typeof startFakePortal>>;
let browser: Awaited<ReturnType<typeof launchChromium>>;
let server: ChildProcess | undefined;
let address: string;

const password = 'a secret of at least 32 characters';

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
      SESSION_SECRET: password,
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
  const value = await sealData({ email: 'reader@host.example' }, { password });
  await page.context().addCookies([{ name: 'session', value, url: address }]);
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

describe('the host endpoint', () => {
  const mint = (cookie: string, headers: Record<string, string> = {}) =>
    send(`${address}/portal-embed/url`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      json: {},
    });
  const seal = async (by: string) =>
    `session=${await sealData({ email: 'reader@host.example' }, { password: by })}`;

  it('the host endpoint rejects a cookie that this application did not seal', async () => {
    const sealed = await seal(password);
    expect((await mint(sealed)).status).toBe(200);
    portal.received.length = 0;
    for (const forged of [
      'user=reader%40host.example',
      'session=reader%40host.example',
      'session={"email":"reader@host.example"}',
      await seal('another secret of at least 32 characters'),
      sealed.replace(/.{12}$/, 'x'.repeat(12)),
    ])
      expect((await mint(forged)).json()).toMatchObject({ status: 401, code: 'not_signed_in' });
    expect(portal.received).toEqual([]);
  });

  it('the host endpoint refuses a compressed body', async () => {
    const answer = await mint(await seal(password), { 'content-encoding': 'br' });
    expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('the host endpoint reuses its connection to the portal', async () => {
    const cookie = await seal(password);
    const ports = new Set<unknown>();
    const answer = mintAnswer();
    portal.answer((request, response) => {
      ports.add(response.socket?.remotePort);
      return answer(request, response);
    });
    for (let request = 0; request < 3; request += 1) await mint(cookie);
    expect(ports.size).toBe(1);
  });
});

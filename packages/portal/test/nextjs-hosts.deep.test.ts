import fs from 'node:fs';
import path from 'node:path';

import { launchHeadless } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadBuiltAssets } from './support/built-assets.ts';
import { createPackedHost, runCheck, startPackedHost } from './support/packed-host.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import type { Page } from './support/sign-in-provider.ts';

let folder: string;
let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;

beforeAll(async () => {
  const assets = await loadBuiltAssets();
  folder = await createPackedHost(
    ['next@16', 'react@19', 'react-dom@19', 'next-auth@4', '@clerk/nextjs@7'],
    ['packages/docs/examples/middlewares', 'packages/portal/test/hosts/nextjs'],
  );
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
});
afterAll(async () => {
  await browser?.close();
  await portal?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Without its service, Clerk knows requests without a session only. */
const clerkEnv = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.acme.localhost$')}`,
  CLERK_SECRET_KEY: 'sk_live_of_a_test',
  CLERK_TELEMETRY_DISABLED: '1',
};

/** Starts the development server with a middleware. Without a file, there is none. */
async function start(proxy: string | undefined, env: Record<string, string>) {
  fs.rmSync(path.join(folder, 'proxy.js'), { force: true });
  if (proxy) fs.copyFileSync(path.join(folder, proxy), path.join(folder, 'proxy.js'));
  const next = path.join(folder, 'node_modules/next/dist/bin/next');
  return startPackedHost(
    folder,
    portal,
    (port) => [next, 'dev', '--hostname', '127.0.0.1', '--port', port],
    (address) => ({
      NEXT_TELEMETRY_DISABLED: '1',
      NEXTAUTH_URL: address,
      NEXTAUTH_SECRET: 'a secret of at least 32 characters',
      REPORT_ID: portal.acme.reportId,
      ...clerkEnv,
      ...env,
    }),
    // The development server takes any other host name for another server.
    '127.0.0.1',
  );
}

type Host = Awaited<ReturnType<typeof start>>;

async function signIn(page: Page, { address }: Host, email: string) {
  await page.goto(`${address}/private`);
  await page.getByLabel('email').fill(email);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.getByText('private').waitFor();
}

async function newPage() {
  const page = await (await browser.newContext()).newPage();
  // The development server compiles each page at its first request.
  page.setDefaultTimeout(120_000);
  const posts: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/portal-embed/')) posts.push(pathname);
  });
  return { page, posts };
}

const check = (host: Host) => runCheck(folder, portal, ['tenants.js', '--origin', host.address]);
const report = (page: Page) => page.frameLocator('iframe').getByText('$30').first();

describe('the line of the guide in Next.js', () => {
  it('the endpoint is excluded from Auth.js, and a signed-in reader sees the report', async () => {
    await using host = await start('nextjs-auth-js/proxy.js', { SESSIONS: 'auth-js' });
    // The first request compiles the endpoint, which can take longer than the embed waits.
    expect(await check(host)).toMatch(/ok {6}endpoint: .* is the host endpoint/);
    const { page, posts } = await newPage();
    await signIn(page, host, portal.acme.emails.west);
    await page.goto(host.address);
    await report(page).waitFor();
    expect(posts).toHaveLength(1);

    // The session ends while the report is open.
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Sign in to see this report').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['clerk', 'endpoint_invalid', '404 from /portal-embed/url', "Clerk's middleware refuses"],
    ['auth-js', 'not_signed_in', 'redirects', '/api/auth/signin'],
  ])(
    'behind %s, the embed fails after one request, and portal-embed-check says why',
    async (sessions, cause, message, finding) => {
      await using host = await start(`${sessions}-in-front.js`, { SESSIONS: sessions });
      const output = await check(host);
      expect(output).toMatch(/FAILED {2}endpoint: /);
      expect(output).toContain(finding);
      const { page, posts } = await newPage();
      await page.goto(host.address);
      await page.waitForFunction('window.failure');
      expect(await page.evaluate('window.failure')).toMatchObject({
        cause,
        message: expect.stringContaining(message) as string,
      });
      // Redirects cause the other requests.
      expect(posts.filter((each) => each === '/portal-embed/url')).toHaveLength(1);
      await page.context().close();
    },
  );

  it('the report loads with trailingSlash, whose redirect the embed follows', async () => {
    await using host = await start(undefined, {
      SESSIONS: 'none',
      TRAILING_SLASH: 'yes',
      USER_EMAIL: portal.acme.emails.west,
    });
    expect(await check(host)).toMatch(/ok {6}endpoint: .*\/portal-embed\/url\/ is the host/);
    const { page, posts } = await newPage();
    await page.goto(host.address);
    await report(page).waitFor();
    expect(posts).toEqual(['/portal-embed/url', '/portal-embed/url/']);
    await page.context().close();
  });
});

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { launchHeadless } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import { createPackedHost, runCheck, startPackedHost } from '../support/packed-host.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import type { Page } from '../support/sign-in-provider.ts';

let folder: string;
let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;

beforeAll(async () => {
  const assets = await loadBuiltAssets();
  folder = await createPackedHost(
    ['next@16', 'react@19', 'react-dom@19', 'next-auth@4', '@clerk/nextjs@7', 'better-auth@1'],
    ['packages/docs/examples/middlewares', 'packages/portal/test/hosts/nextjs'],
  );
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
});
afterAll(async () => {
  await browser?.close();
  await portal?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Without its service, Clerk knows requests without a session only. Next.js reads some at its build. */
const clerkEnv = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_live_${btoa('clerk.acme.localhost$')}`,
  CLERK_SECRET_KEY: 'sk_live_of_a_test',
  CLERK_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
};

const build = promisify(execFile);

/** Builds the application with a middleware, and starts it. */
async function start(proxy: string, sessions: string) {
  fs.copyFileSync(path.join(folder, proxy), path.join(folder, 'proxy.js'));
  const next = path.join(folder, 'node_modules/next/dist/bin/next');
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', ...clerkEnv } as const;
  await build(process.execPath, [next, 'build'], { cwd: folder, env });
  return startPackedHost(
    folder,
    portal,
    (port) => [next, 'start', '--hostname', '127.0.0.1', '--port', port],
    (address) => ({
      ...clerkEnv,
      NEXTAUTH_URL: address,
      NEXTAUTH_SECRET: 'a secret of at least 32 characters',
      REPORT_ID: portal.acme.reportId,
      SESSIONS: sessions,
    }),
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
    await using host = await start('nextjs-auth-js/proxy.js', 'auth-js');
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

  it('the endpoint is excluded from better-auth, and a session is valid at one host name', async () => {
    await using host = await start('nextjs-better-auth/proxy.js', 'better-auth');
    expect(await check(host)).toMatch(/ok {6}endpoint: .* is the host endpoint/);
    const { page } = await newPage();
    await page.goto(host.address);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    const signUp = { email: portal.acme.emails.west, password: 'a password', name: 'Wanda West' };
    const signUpStatus = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch('/api/auth/sign-up/email', init)).status;
    }, signUp);
    expect(signUpStatus).toBe(200);
    await page.goto(host.address);
    await report(page).waitFor();

    const globex = host.address.replace('acme', 'globex');
    const cookies = await page.context().cookies(host.address);
    await page
      .context()
      .addCookies(cookies.map(({ name, value }) => ({ name, value, url: globex })));
    await page.goto(globex);
    await page.getByText('Sign in to see this report').waitFor();
    // better-auth itself accepts the session there.
    expect(
      await page.evaluate(async () => (await fetch('/api/auth/get-session')).json()),
    ).toMatchObject({ user: { email: signUp.email, customer: 'acme' } });
    await page.context().close();
  });

  it.each([
    // A redirect to another origin fails like a broken connection, and is then asked for.
    ['clerk', 'https://accounts.acme.localhost/sign-in', 2],
    ['auth-js', '/api/auth/signin', 1],
  ])(
    'behind %s, the embed shows the sign-in, and portal-embed-check names %s',
    async (sessions, signInPage, requests) => {
      await using host = await start(`${sessions}-in-front.js`, sessions);
      const output = await check(host);
      expect(output).toMatch(/FAILED {2}endpoint: /);
      expect(output).toContain(signInPage);
      const { page, posts } = await newPage();
      await page.goto(host.address);
      await page.waitForFunction('window.failure');
      expect(await page.evaluate('window.failure')).toMatchObject({
        cause: 'not_signed_in',
        message: expect.stringContaining('redirects') as string,
      });
      // Other requests are those of redirects.
      expect(posts.filter((each) => each === '/portal-embed/url')).toHaveLength(requests);
      await page.context().close();
    },
  );
});

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { launchHeadless } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import {
  copyElement,
  createPackedHost,
  runCheck,
  startPackedHost,
} from '../support/packed-host.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSignInProvider, type Page } from '../support/sign-in-provider.ts';

const expresses = ['express', 'express-4'];
const helmets = ['helmet-4', 'helmet-5', 'helmet-6', 'helmet-7', 'helmet-8'];

let folder: string;
let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
let provider: Awaited<ReturnType<typeof startSignInProvider>>;

beforeAll(async () => {
  const assets = await loadBuiltAssets();
  folder = await createPackedHost(
    [
      'express@5',
      'express-4@npm:express@4',
      'express-session@1',
      ...helmets.map((name) => `${name}@npm:${name.replace('-', '@')}`),
      'vite@8',
      '@vitejs/plugin-react@6',
      'react@19',
      'react-dom@19',
      'cookie-parser@1',
      'lusca@1',
      'csrf-csrf@4',
      'csrf-sync@4',
      '@auth/express@0.12',
      'express-openid-connect@3',
      'oidc-provider@9',
    ],
    ['packages/docs/examples/middlewares', 'packages/portal/test/hosts/express'],
  );
  copyElement(folder);
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
  provider = await startSignInProvider(folder);
});
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]();
  await browser?.close();
  await portal?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const start = (env: Record<string, string>) =>
  startPackedHost(
    folder,
    portal,
    () => ['server.mjs'],
    (address) => ({
      EXPRESS: 'express',
      EXAMPLE: 'lusca',
      BASE_URL: address,
      ...provider.env,
      ...env,
    }),
  );

type Host = Awaited<ReturnType<typeof start>>;

/** Signs a reader in as the application's own pages do. */
const signIns: Record<string, (page: Page, address: string, email: string) => Promise<unknown>> = {
  'auth-express': async (page, address, email) => {
    await page.goto(`${address}/auth/signin`);
    await page.getByLabel('email').fill(email);
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/'));
  },
  'openid-connect': async (page, address, email) => {
    await page.goto(`${address}/private`);
    await provider.signIn(page, email);
    await page.getByText('private').waitFor();
  },
};

/** Opens a page in a new context and records the requests to the endpoint. */
async function openPage(host: Host, example: string, email?: string, file = '/') {
  const page = await (await browser.newContext()).newPage();
  await page.route('https://cdn.example/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.fromCdn = true' }),
  );
  const signIn =
    signIns[example] ??
    ((each: Page, address: string, user: string) =>
      each.goto(`${address}/test/sign-in?email=${user}`));
  if (email !== undefined) await signIn(page, host.address, email);
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/portal-embed/url'))
      posts.push(request.url());
  });
  await page.goto(`${host.address}${file}?report=${portal.acme.reportId}`);
  return { page, posts };
}

const report = (page: Page) => page.frameLocator('iframe').getByText('$30').first();

/** Waits outside the page, whose policy may forbid `eval`. */
async function readFailure(page: Page) {
  const read = () =>
    page.evaluate<{ cause: string; message: string } | undefined>('window.failure');
  await expect.poll(read, { timeout: 30_000 }).toBeDefined();
  return (await read())!;
}

const checkArgs = ({ address }: Host, page: string) => [
  'tenants.js',
  '--origin',
  address,
  '--page',
  page,
];
const check = (host: Host) => runCheck(folder, portal, checkArgs(host, '/strict.html'));

const examples = ['lusca', 'csrf-csrf', 'csrf-sync', 'auth-express', 'openid-connect'];

describe.each(expresses)('the line of the guide on %s', (express) => {
  it.each(examples)(
    `with ${express}, the endpoint is excluded from %s, and a signed-in reader sees the report`,
    async (example) => {
      await using host = await start({ EXPRESS: express, EXAMPLE: example });
      const { page, posts } = await openPage(host, example, portal.acme.emails.west);
      await report(page).waitFor();
      expect(posts).toHaveLength(1);
      expect(await check(host)).toMatch(/ok {6}endpoint: .* is the host endpoint/);

      // The session ends while the report is open.
      await page.context().clearCookies();
      await page.evaluate("document.querySelector('portal-embed').refresh()");
      await page.getByText('Sign in to see this report').waitFor();
      expect(await page.locator('iframe').count()).toBe(0);
      await page.context().close();
    },
  );
});

describe('an endpoint that is not excluded', () => {
  it.each([
    ['lusca', 'lusca', 'endpoint_invalid', '403 from /portal-embed/url', 'answers 403'],
    ['csrf-csrf', 'csrf-csrf', 'endpoint_invalid', '403 from /portal-embed/url', 'answers 403'],
    ['csrf-sync', 'csrf-sync', 'endpoint_invalid', '403 from /portal-embed/url', 'answers 403'],
    ['lusca', 'nothing mounted', 'endpoint_invalid', '404 from', 'answers 404'],
    ['lusca', 'small bodies', 'endpoint_invalid', '413 from', 'answers 413'],
    ['auth-express', 'auth-express', 'not_signed_in', 'redirects', '/auth/signin'],
  ])(
    'with %s, behind %s, the embed fails after one request, and portal-embed-check reports the cause',
    async (example, inFront, cause, message, finding) => {
      await using host = await start({ EXAMPLE: example, IN_FRONT: inFront });
      const { page, posts } = await openPage(host, example);
      const failure = await readFailure(page);
      expect(failure).toMatchObject({ cause, message: expect.stringContaining(message) as string });
      expect(failure.message.length).toBeLessThanOrEqual(80);
      expect(posts).toHaveLength(1);
      const output = await check(host);
      expect(output).toMatch(/FAILED {2}endpoint: /);
      expect(output).toContain(finding);
      await page.context().close();
    },
  );

  it('behind express-openid-connect, the embed offers the sign-in, and portal-embed-check reports the target of the redirect', async () => {
    await using host = await start({ EXAMPLE: 'openid-connect', IN_FRONT: 'openid-connect' });
    const { page, posts } = await openPage(host, 'openid-connect');
    expect(await readFailure(page)).toMatchObject({ cause: 'not_signed_in' });
    await page.getByText('Sign in to see this report').waitFor();
    // A redirect to another origin looks like a broken connection, so a second request asks for it.
    expect(posts).toHaveLength(2);
    expect(await check(host)).toContain(`redirects to ${provider.env.ISSUER_BASE_URL}/auth: `);
    await page.context().close();
  });
});

describe('pages of an application', () => {
  const west = () => portal.acme.emails.west;

  it.each(expresses)(
    'with %s and without a policy, inline scripts, handlers and files of a CDN work',
    async (express) => {
      await using host = await start({ EXPRESS: express });
      const { page, posts } = await openPage(host, 'lusca', west());
      await report(page).waitFor();
      expect(await page.evaluate('window.fromCdn')).toBe(true);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect.poll(() => posts.length).toBe(2);
      await page.context().close();
    },
  );

  it.each([
    ...helmets.flatMap((helmet) => ['', 'yes'].map((last) => ['express', helmet, last] as const)),
    ['express-4', 'helmet-4', ''],
    ['express-4', 'helmet-8', 'yes'],
  ] as const)(
    'with %s, the defaults of %s allow the frame, also after portalCsp: "%s"',
    async (express, helmet, last) => {
      await using host = await start({ EXPRESS: express, HELMET: helmet, HELMET_LAST: last });
      const { page } = await openPage(host, 'lusca', west(), '/strict.html');
      await page.frameLocator('iframe').getByRole('heading').first().waitFor();
      const output = await check(host);
      expect(output).not.toContain('FAILED');
      // By default, only these versions send Cross-Origin-Embedder-Policy.
      const isIsolated = ['helmet-5', 'helmet-6'].includes(helmet);
      expect(output.includes('ok      isolation')).toBe(isIsolated);
      await page.context().close();
    },
  );

  it('portalCsp does not extend a policy in a <meta> element, and the embed reports the policy', async () => {
    await using host = await start({});
    const { page } = await openPage(host, 'lusca', west(), '/meta.html');
    const { cause, message } = await readFailure(page);
    expect(cause).toBe('blocked_by_host');
    expect(message).toContain("to frame-src of this page's security policy");
    await page.context().close();
  });

  it('a page of Vite with React 19 shows the report with one request', async () => {
    const vite = path.join(folder, 'node_modules/vite/bin/vite.js');
    const args = ['build', 'vite', '--base', './', '--outDir', '../public/vite'];
    await promisify(execFile)(process.execPath, [vite, ...args], { cwd: folder });
    await using host = await start({});
    const { page, posts } = await openPage(host, 'lusca', west(), '/vite/');
    await report(page).waitFor();
    expect(posts).toHaveLength(1);
    await page.context().close();
  });
});

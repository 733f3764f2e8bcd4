import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { launchHeadless, send } from 'test-support';
import { createEnvironment, sealSession, testHostExample } from 'test-support/host-example';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startNext } from './running-app.ts';

let browser: Awaited<ReturnType<typeof launchHeadless>>;
let address: string;

const stage = testHostExample(async (env) => {
  const app = await startNext(env);
  address = `http://acme.localhost:${app.port}`;
  return app;
});

beforeAll(async () => {
  browser = await launchHeadless();
});
afterAll(() => browser?.close());

/** Opens the page for a signed-in user. Collects the console's errors and violations of its policy. */
async function openPage() {
  const page = await (await browser.newContext()).newPage();
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`${effectiveDirective} blocks ${blockedURI}`),
    );
  });
  const [name, value] = (await sealSession()).split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: address }]);
  await page.goto(address);
  await page.frameLocator('iframe').getByText('west@acme.example').waitFor();
  return { page, consoleErrors, [Symbol.asyncDispose]: () => page.context().close() };
}

it('the server renders a placeholder for the report and no iframe', async () => {
  const { body } = await send(address);
  expect(body).toContain('Loading report');
  expect(body).not.toContain('<iframe');
});

it('a signed-in user sees the report, hydrated without a console error', async () => {
  stage.portal.received.length = 0;
  await using opened = await openPage();
  const minted = stage.portal.received.filter(({ url }) => url === '/api/identity/url');
  expect(minted).toMatchObject([{ body: { userEmail: 'west@acme.example', hideNavbar: true } }]);
  expect(opened.consoleErrors).toEqual([]);
});

it('the page has a policy with a nonce, and shows the embed in its full height', async () => {
  const { headers, body } = await send(address);
  const { ACME_BASE_URL: portalUrl } = createEnvironment(stage.portal);
  const policy = String(headers['content-security-policy']);
  const [, nonce] = /'nonce-([\w-]+)'/.exec(policy)!;
  expect(body).toContain(`nonce="${nonce}"`);
  for (const directive of [`frame-src ${portalUrl};`, `connect-src 'self' ${portalUrl};`])
    expect(policy).toContain(directive);
  expect(headers['link']).toContain(`<${portalUrl}>; rel=preconnect`);

  const again = await send(address);
  expect(again.headers['content-security-policy']).not.toContain(nonce);

  await using opened = await openPage();
  expect((await opened.page.locator('iframe').boundingBox())!.height).toBe(640);
  expect(opened.consoleErrors).toEqual([]);
});

it('the page of an unknown host name may frame nothing', async () => {
  const { headers } = await send(address.replace('acme', 'evil'));
  expect(headers['content-security-policy']).toContain("frame-src 'none';");
});

it('a sign-out ends the sessions of the user in the application and in the portal', async () => {
  await using opened = await openPage();
  const { page } = opened;
  stage.portal.received.length = 0;
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  // The embed may have requested another URL before.
  expect(stage.portal.received.map(({ method, url }) => `${method} ${url}`)).toContain(
    'DELETE /api/user/west%40acme.example/sessions',
  );
  await page.goto(address);
  await page.getByText('Sign in to see this report').waitFor();
});

it('portal-embed-check checks the tenants of the application', async () => {
  const cli = fileURLToPath(new URL('../../../packages/host/dist/check/cli.js', import.meta.url));
  const example = fileURLToPath(new URL('..', import.meta.url));
  const args = [cli, './lib/tenants.js', '--tenant', 'acme.localhost', '--origin', address];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: example,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...createEnvironment(stage.portal) },
  });
  expect(stdout).toMatch(/^acme\.localhost\n/);
  expect(stdout).toMatch(/ok {6}endpoint: /);
});

it('a signed-out user is asked to sign in', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  await page.getByText('Sign in to see this report').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await page.context().close();
});

it('the host endpoint reuses its connection to the portal', async () => {
  const ports = new Set<unknown>();
  stage.portal.answer((_, response, next) => {
    ports.add(response.socket?.remotePort);
    next();
  });
  for (let request = 0; request < 3; request += 1) await stage.mint();
  expect(ports.size).toBe(1);
});

import { launchHeadless, send } from 'test-support';
import { sealSession, testHostExample } from 'test-support/host-example';
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

it('the server renders a placeholder for the report and no iframe', async () => {
  const { body } = await send(address);
  expect(body).toContain('Loading report');
  expect(body).not.toContain('<iframe');
});

it('a signed-in user sees the report, hydrated without a console error', async () => {
  stage.portal.received.length = 0;
  const page = await browser.newPage();
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  const [name, value] = (await sealSession()).split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: address }]);
  await page.goto(address);
  await page.frameLocator('iframe').getByText('west@acme.example').waitFor();
  const minted = stage.portal.received.filter(({ url }) => url === '/api/identity/url');
  expect(minted).toMatchObject([{ body: { userEmail: 'west@acme.example', hideNavbar: true } }]);
  expect(consoleErrors).toEqual([]);
  await page.close();
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

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { addUser, startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import type { Browser, Page } from 'playwright-core';
import { launchHeadless } from 'test-support';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createHostApp } from '../src/app.ts';
import { repository } from './demo.ts';

const pageFolder = path.join(repository, 'examples/express-react/dist/page');

let portal: OtherPortal;
let browser: Browser;
let server: Server;
let address: string;

beforeAll(async () => {
  portal = await startOtherPortal();
  browser = await launchHeadless();
  const { apiUrl, apiKey, portalUrl, state } = portal;
  const [orders, stock] = state.reports;
  const west = addUser(state, {
    email: 'west@acme.example',
    name: 'Wanda West',
    role: 3,
    reports: new Set([orders!.id]),
  });
  state.roles.find(({ name }) => name === 'West')!.users.add(west.id);
  const app = createHostApp(
    {
      port: 0,
      portalApiUrl: apiUrl,
      sessionSecret: 'secret',
      tenants: {
        'acme.localhost': {
          slug: 'acme',
          name: 'Acme',
          apiKey,
          organizationId: state.organizationId,
          portalUrl,
          reports: [orders!, stock!],
        },
      },
    },
    pageFolder,
  );
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://acme.localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
  await portal?.[Symbol.asyncDispose]();
});

const problems: string[] = [];
let page: Page;
beforeEach(async () => {
  problems.length = 0;
  page = await browser.newPage();
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|violates/i.test(message.text())) problems.push(message.text());
  });
  await page.goto(address);
});
afterEach(() => page.close());

const signIn = (email: string) => page.getByRole('button', { name: email }).click();
const report = () => page.frameLocator('iframe');
const waitUntilReady = () => page.locator('output[data-status=ready]').waitFor();
const countOpened = () => portal.requests.filter((each) => each === 'GET /sign-in').length;

describe('the host application with a portal of another vendor, without the frame channel', () => {
  it('shows the report with the rows of the signed-in user, and is ready', async () => {
    await signIn('west@acme.example');
    await report().getByRole('heading', { name: 'Orders' }).waitFor();
    await waitUntilReady();
    expect(await report().getByRole('cell').allTextContents()).toEqual([
      'West',
      'Belém',
      '120',
      'West',
      'Manaus',
      '80',
    ]);
    expect(await report().locator('#viewer').textContent()).toBe('west@acme.example');
    expect(await page.locator('iframe').getAttribute('title')).toBe('Reports of the portal');
    expect(await page.locator('iframe').evaluate((frame) => (frame as HTMLElement).inert)).toBe(
      false,
    );
    expect(problems).toEqual([]);
  });

  it('shows the report again with a flag and after a refresh, each with a new URL', async () => {
    await signIn('west@acme.example');
    await report().locator('#menu').waitFor();
    await waitUntilReady();
    const before = countOpened();
    await page.getByLabel('hideMenu').check();
    await expect.poll(countOpened).toBe(before + 1);
    await waitUntilReady();
    await report().getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await report().locator('#menu').count()).toBe(0);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(countOpened).toBe(before + 2);
    await waitUntilReady();
    expect(await page.locator('iframe').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('lets the reader browse the whole portal, and stays ready', async () => {
    await signIn('west@acme.example');
    await waitUntilReady();
    const before = countOpened();
    await page.getByLabel('Whole portal').check();
    await report().getByRole('link', { name: 'Orders' }).click();
    await report().getByRole('heading', { name: 'Orders' }).waitFor();
    await report().getByRole('link', { name: 'All reports' }).click();
    await report().getByRole('heading', { name: 'Reports' }).waitFor();
    await waitUntilReady();
    expect(countOpened()).toBe(before + 1);
  });

  it("shows the portal's own page for a report that the user may not open", async () => {
    await signIn('west@acme.example');
    await waitUntilReady();
    await page.getByLabel('Stock').check();
    await report().getByRole('heading', { name: 'No access' }).waitFor();
    await waitUntilReady();
    expect(await page.getByText('Report failed to load').count()).toBe(0);
  });

  it('tells a user whom the portal does not know that they have no access', async () => {
    await signIn('east@acme.example');
    await page.getByText('No access to this report').first().waitFor();
    await page.locator('output[data-status=failed]').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('opens the report in a tab of its own', async () => {
    await signIn('west@acme.example');
    await waitUntilReady();
    const newTab = page.getByRole('link', { name: 'Open in a new tab' });
    const [opened] = await Promise.all([page.waitForEvent('popup'), newTab.click()]);
    await opened.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(opened.url()).not.toContain('token');
    await opened.close();
  });
});

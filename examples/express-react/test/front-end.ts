import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Express } from 'express';
import type { Browser, Page } from 'playwright-core';
import { launchHeadless } from 'test-support';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { addEmbedOrigin } from './demo.ts';

/** The page of a frontend in Chromium, with the demo's portal. */
export interface FrontEnd {
  open: () => Promise<Page>;
}

/**
 * Declares the test that the page of each frontend passes.
 *
 * @param createApp creates the host application that serves the page
 */
export function testFrontEnd(createApp: (env: NodeJS.ProcessEnv) => Express): FrontEnd {
  const demo = inject('demo');
  let browser: Browser;
  let server: Server;
  let address: string;

  beforeAll(async () => {
    browser = await launchHeadless();
    server = createApp({ ...demo.env, HOST_SESSION_SECRET: 'secret' }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://acme.localhost:${(server.address() as AddressInfo).port}`;
    addEmbedOrigin(demo, address);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const problems: string[] = [];
  const open = async () => {
    const page = await browser.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (/Content.Security.Policy|violates/i.test(message.text())) problems.push(message.text());
    });
    await page.goto(address);
    return page;
  };

  it('a user signs in, changes report and filter, refreshes and signs out', async () => {
    const page = await open();
    const report = page.frameLocator('portal-embed iframe');
    const expectTotal = (text: string) => report.getByText(text, { exact: true }).first().waitFor();
    const click = (button: string) => page.getByRole('button', { name: button }).click();
    const choose = (label: string, option: string) => page.getByLabel(label).selectOption(option);
    const expectStatus = (status: string) =>
      expect.poll(() => page.locator('output').first().textContent()).toBe(status);

    await click('all@acme.example');
    await choose('Report', 'Superstore sales');
    await expectTotal('$2,297,201');
    await choose('Region', 'West');
    await expectTotal('$725,458');
    await choose('Region', 'All regions');
    await choose('Report', 'Flight delays');
    await expectTotal('3,000,000');
    await expectStatus('ready');

    const minted = page.waitForResponse((each) => each.url().endsWith('/portal-embed/url'));
    await click('Refresh');
    expect((await minted).status()).toBe(200);
    await expectStatus('ready');
    expect(await page.locator('iframe').count()).toBe(1);

    await click('Sign out');
    await page.getByRole('button', { name: 'west@acme.example' }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);

    await click('west@acme.example');
    await choose('Report', 'Superstore sales');
    await expectTotal('$725,458');
    expect(problems).toEqual([]);
    await page.close();
  });

  return { open };
}

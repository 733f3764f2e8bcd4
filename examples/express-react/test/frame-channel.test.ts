import type { Browser, Page } from 'playwright-core';
import { launchChromium } from 'testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startDemo, type Demo } from './demo.ts';

let demo: Demo;
let browser: Browser;
let page: Page;
let minted: unknown[];

beforeAll(async () => {
  demo = await startDemo();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await demo?.interrupt();
  demo?.remove();
});

declare global {
  interface Window {
    /** What the portal's page has told the component. */
    told: { state?: { scroll: number } }[];
  }
}

/** Runs before the host's own scripts. */
function noteTold(): void {
  window.told = [];
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      for (const port of [this.port1, this.port2])
        port.addEventListener('message', ({ data }) => window.told.push(data));
    }
  };
}

beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.addInitScript(noteTold);
  minted = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/portal-embed/url')) minted.push(request.postDataJSON());
  });
  await page.goto(demo.env.HOST_URL_ACME);
  await page.getByRole('button', { name: 'all@acme.example' }).click();
  await expectText('$2,297,201');
  await page.locator('output[data-status=ready]').waitFor();
  return () => page.context().close();
});

const frame = () => page.frameLocator('iframe:not([inert])');
const expectText = (text: string) => frame().getByText(text, { exact: true }).first().waitFor();
const moveFrame = () =>
  page.evaluate(() => {
    const iframe = document.querySelector('iframe')!;
    iframe.parentElement!.append(iframe);
  });

describe('between the component and the portal’s own pages', () => {
  it('a filter changes in place, without another URL', async () => {
    await page.getByLabel('Region filter').selectOption('West');
    await expectText('$725,458');
    await page.getByLabel('Region filter').selectOption('East');
    await expectText('$678,781');
    expect(minted).toHaveLength(1);
  });

  it('a frame that was moved comes back with the filter that was set in place', async () => {
    await page.getByLabel('Region filter').selectOption('West');
    await expectText('$725,458');
    await moveFrame();
    await expect.poll(() => minted.length).toBe(2);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$725,458');
  });

  it('a frame that was moved comes back at the report that the reader had opened', async () => {
    await page.getByLabel('Whole portal').check();
    const sidebar = frame().getByRole('navigation', { name: 'Reports' });
    await sidebar.getByRole('button', { name: 'Superstore sales' }).click();
    await expectText('$2,297,201');
    const before = minted.length;
    await moveFrame();
    await expect.poll(() => minted.length).toBe(before + 1);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$2,297,201');
  });

  it.each([
    ['a refresh', () => page.getByRole('button', { name: 'Refresh' }).first().click()],
    ['a heal', () => moveFrame()],
  ])('%s brings the reader back to where they had scrolled to', async (_, act) => {
    await page.setViewportSize({ width: 600, height: 700 });
    const scrollTop = () =>
      frame()
        .locator('html')
        .evaluate((html) => html.scrollTop);
    const first = await page.$('iframe');
    await frame()
      .locator('html')
      .evaluate(() => window.scrollTo(0, 230));
    await expect.poll(() => page.evaluate(() => window.told.at(-1)?.state?.scroll)).toBe(230);
    await act();
    await expect.poll(() => minted.length).toBe(2);
    await expect.poll(() => first!.isVisible()).toBe(false);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$2,297,201');
    await expect.poll(scrollTop).toBe(230);
  });

  it('a sign-out of the host stops the embed and takes the report away', async () => {
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await page.locator('[data-portal-embed=failed]').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await page.waitForTimeout(500);
    expect(minted).toHaveLength(2);
  });
});

import type { Browser, Page } from 'playwright-core';
import { launchHeadless } from 'test-support';
import { chooseCases } from 'test-support/repetitions';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';

import '../demo.ts';

const demo = inject('demo');
let browser: Browser;
let page: Page;
let minted: unknown[];

beforeAll(async () => {
  browser = await launchHeadless();
});
afterAll(() => browser?.close());

declare global {
  interface Window {
    /** Messages from the portal's page to the component. */
    received: { type: string; scroll?: number }[];
  }
}

/** Must run before the host's own scripts. */
function recordMessages(): void {
  window.received = [];
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      for (const port of [this.port1, this.port2])
        port.addEventListener('message', ({ data }) => window.received.push(data));
    }
  };
}

beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.addInitScript(recordMessages);
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
/** The request in which the page redeems the URL that it is to open. */
const redemption = '**/identity';
const chooseRegion = (region: string) => page.getByLabel('Region filter').selectOption(region);
const refresh = () => page.getByRole('button', { name: 'Refresh' }).first().click();
/** Opens the whole portal, and in it the report that was open alone before. */
const openInWholePortal = async () => {
  await page.getByLabel('Whole portal').check();
  // The page of one report does not list this one.
  await frame().getByRole('button', { name: 'Flight delays' }).first().waitFor();
  await page.locator('output[data-status=ready]').waitFor();
  await frame().getByRole('button', { name: 'Superstore sales' }).first().click();
  await expectText('$2,297,201');
};
/** The root element of the current report. */
const html = () => frame().locator('html');
const scrollTop = () => html().evaluate(({ scrollTop: top }) => top);
const scrollTo = async (top: number) => {
  await html().evaluate((_, y) => window.scrollTo(0, y), top);
  await expect.poll(() => page.evaluate(() => window.received.at(-1)?.scroll)).toBe(top);
};

/** Holds requests to a URL until the returned function is called. */
async function hold(url: string) {
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    // The page may have aborted the request.
    await route.continue().catch(() => {});
  });
  return release;
}

describe('the embed component and the portal’s pages', () => {
  it('a filter changes in the same page, with another URL', async () => {
    const first = await page.$('iframe');
    await html().evaluate(() => document.body.classList.add('same-page'));
    await chooseRegion('West');
    await expectText('$725,458');
    await chooseRegion('East');
    await expectText('$678,781');
    expect(minted).toHaveLength(3);
    expect(await first!.isVisible()).toBe(true);
    expect(await frame().locator('.same-page').count()).toBe(1);
  });

  it('a filter is applied once the portal recovers', async () => {
    let refused = 0;
    await page.route(redemption, (route) => {
      refused++;
      return route.fulfill({ status: 503 });
    });
    await chooseRegion('West');
    await expect.poll(() => refused).toBeGreaterThan(0);
    await page.unroute(redemption);
    await expectText('$725,458');
  });

  it('a moved frame comes back with its current filter', async () => {
    await chooseRegion('West');
    await expectText('$725,458');
    await moveFrame();
    await expect.poll(() => minted.length).toBe(2);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$725,458');
  });

  it('a frame that is moved during a filter change comes back with the new filter', async () => {
    await chooseRegion('West');
    await expectText('$725,458');
    await page.evaluate(() => {
      const iframe = document.querySelector('iframe')!;
      iframe.parentElement!.append(iframe);
      const select = document.querySelector('select')!;
      select.value = 'East';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expectText('$678,781');
  });

  it.each(
    chooseCases(1, [
      ['East', '$678,781'],
      ['', '$2,297,201'],
    ] as const),
  )(
    'a filter chosen during a refresh stays applied while the reader scrolls: %j',
    async (to, sum) => {
      await page.setViewportSize({ width: 600, height: 700 });
      await chooseRegion('West');
      await expectText('$725,458');
      const release = await hold('**/portal-embed/url');
      await refresh();
      await page.locator('output[data-status=refreshing]').waitFor();
      await chooseRegion(to);
      await scrollTo(120);
      release();
      await page.locator('output[data-status=ready]').waitFor();
      await expectText(sum);
    },
  );

  it('a moved frame comes back with the report that the reader had opened', async () => {
    await openInWholePortal();
    const before = minted.length;
    await moveFrame();
    await expect.poll(() => minted.length).toBe(before + 1);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$2,297,201');
  });

  it.each(
    chooseCases(1, [
      ['a moved frame', moveFrame],
      ['a refresh', refresh],
    ] as const),
  )('%s keeps the scroll position', async (_, act) => {
    await page.setViewportSize({ width: 600, height: 700 });
    await scrollTo(230);
    await act();
    await expect.poll(() => minted.length).toBe(2);
    await page.locator('output[data-status=ready]').waitFor();
    await expectText('$2,297,201');
    await expect.poll(scrollTop).toBe(230);
  });

  describe('a refresh', () => {
    const refreshAnd = async (act: () => Promise<void>) => {
      const release = await hold(redemption);
      const redeeming = page.waitForRequest(redemption);
      await refresh();
      await redeeming;
      await act();
      release();
      await page.locator('output[data-status=ready]').waitFor();
    };

    const heading = () => frame().locator('main h1').textContent();

    beforeEach(async () => {
      await page.setViewportSize({ width: 1000, height: 500 });
      await openInWholePortal();
    });

    it('keeps a scroll position that the reader reaches meanwhile', async () => {
      await refreshAnd(() => scrollTo(120));
      await expectText('$2,297,201');
      await expect.poll(scrollTop).toBe(120);
    });

    it('keeps a report that the reader opens meanwhile', async () => {
      await refreshAnd(async () => {
        await frame().getByRole('button', { name: 'Flight delays' }).first().click();
        await expect.poll(heading).toBe('Flight delays');
      });
      await expect.poll(heading).toBe('Flight delays');
    });
  });

  it('a sign-out of the host stops the embed and removes the report', async () => {
    await page.clock.install();
    await page.context().clearCookies();
    await refresh();
    await page.locator('[data-portal-embed=failed]').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    // Every retry would have begun, and the host answers requests in their order.
    await page.clock.runFor(60_000);
    await page.evaluate("fetch('/')");
    expect(minted).toHaveLength(2);
  });
});

import { launchHeadless } from 'test-support';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { limits } from '../../../tooling/vitest.limits.ts';
import { bundle, startHostSite, startPortalSite } from './sites.ts';
import type { HostSite, PortalSite } from './sites.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** A portal, a host and a page of the host. */
export interface Stage {
  browser: Browser;
  page: Page;
  host: HostSite;
  portal: PortalSite;
}

/** Starts a portal, a host and a browser page for each test. */
export function setUpBrowser(
  entry = 'app.ts',
  alias: Record<string, string> = {},
  launch: () => Promise<Browser> = launchHeadless,
): Stage {
  const stage = {} as Stage;
  let script: string;
  beforeAll(async () => {
    script = await bundle(entry, alias);
    stage.browser = await launch();
  });
  afterAll(() => stage.browser.close());
  beforeEach(async () => {
    stage.portal = await startPortalSite();
    stage.host = await startHostSite(stage.portal, script);
    await openPage(stage);
    await stage.page.goto(stage.host.origin);
  });
  afterEach(async () => {
    await stage.page.close();
    await stage.host.stop();
    await stage.portal.stop();
  });
  return stage;
}

/**
 * Starts a portal for each test. The tests share a host and a page, which is loaded again for each test.
 * A new page takes twice the processor time.
 */
export function setUpSharedPage(entry = 'app.ts'): Stage {
  const stage = {} as Stage;
  let shared: Page;
  beforeAll(async () => {
    const script = await bundle(entry);
    const portal = {
      get origin() {
        return stage.portal.origin;
      },
    };
    stage.host = await startHostSite(portal, script);
    stage.browser = await launchHeadless();
    shared = await openPage(stage);
  });
  afterAll(async () => {
    await stage.browser.close();
    await stage.host.stop();
  });
  beforeEach(async () => {
    stage.portal = await startPortalSite();
    stage.host.reset();
    await shared.goto(stage.host.origin);
    // Removes also what the page of the previous test has changed.
    stage.host.reset();
  });
  afterEach(async () => {
    if (stage.page !== shared) await stage.page.close();
    for (const event of ['console', 'pageerror']) stage.page.removeAllListeners(event);
    stage.page = shared;
    await stage.portal.stop();
  });
  return stage;
}

/** Opens a page for a test that changes more than what a reload restores. */
export async function openPage(stage: Stage) {
  stage.page = await stage.browser.newPage();
  stage.page.setDefaultTimeout(limits.expect.poll.timeout);
  return stage.page;
}

/** Loads the host page with a clock that follows real time and can be advanced. */
export async function setClock({ page, host }: Stage) {
  await page.clock.install();
  await page.goto(host.origin);
}

/** Opens a page of the host with a clock that follows real time and can be advanced. */
export async function openWithClock(stage: Stage) {
  await openPage(stage);
  await setClock(stage);
}

/**
 * Returns the requests that a metered page has sent to the host. Requests to the portal do not count:
 * on a busy machine, a page that loads slowly is probed.
 */
export const sentToHost = (page: Page) =>
  page.evaluate(() =>
    window.meter.sent.filter((url) => new URL(url, location.href).origin === location.origin),
  );

/** Advances the clock past every delay of an idle embed, and returns the requests to the host. */
export async function advanceClock(page: Page) {
  await page.clock.runFor(60_000);
  return sentToHost(page);
}

/** Waits for a status of the embed. */
export const waitForStatus = (page: Page, status: string) =>
  page.waitForSelector(`[data-portal-embed=${status}]`, { state: 'attached' });

/** Returns the visible heading of the visible frame. */
export const headingInFrame = (page: Page) =>
  page.frameLocator('iframe:not([inert])').locator('h1').textContent();

export const frameCount = (page: Page) => page.locator('iframe').count();

/** Waits until the visible frame has the URL of the given mint. */
export const showsReport = (page: Page, token: number) =>
  expect.poll(() => headingInFrame(page).catch(() => '')).toBe(`Report ${token}`);

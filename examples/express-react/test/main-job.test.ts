import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { launchBlockingCookies, launchHeadless, send } from 'test-support';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { readLogs, requestUrl, signIn } from './demo.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchHeadless();
});
afterAll(() => browser?.close());

const violations: string[] = [];

async function openHostPage(
  context: BrowserContext,
  hostUrl: string,
  email: string,
): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (/Content.Security.Policy|violates/i.test(message.text())) violations.push(message.text());
  });
  await page.goto(hostUrl);
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  return page;
}

const pages = new Map<string, Page>();

/**
 * Returns the page on which a user has signed in, in a browser context of its own. The tests of a
 * user share it, because a new page takes a second of processor time.
 */
async function pageOf(email: string): Promise<Page> {
  const known = pages.get(email);
  if (known) return known;
  const hostUrl = email.includes('@acme') ? demo.env.HOST_URL_ACME : demo.env.HOST_URL_GLOBEX;
  const page = await openHostPage(await browser.newContext(), hostUrl, email);
  pages.set(email, page);
  return page;
}

const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe');

/** Waits until the portal's page shows a text. */
const expectText = (page: Page, text: string) =>
  frameOf(page).getByText(text, { exact: true }).first().waitFor();

const waitUntilReady = (page: Page) => page.locator('output[data-status=ready]').waitFor();

const bars = (page: Page) => {
  const frame = frameOf(page);
  return {
    navbar: frame.getByRole('banner'),
    sidebar: frame.getByRole('navigation', { name: 'Reports' }),
    menu: frame.getByRole('button', { name: /refresh/i }),
  };
};

describe('a signed-in user of a host application', () => {
  it.each([
    ['west@acme.example', '$725,458'],
    ['east@acme.example', '$678,781'],
    ['all@acme.example', '$2,297,201'],
  ])('%s sees %s as Total sales', async (email, total) => {
    const page = await pageOf(email);
    await expectText(page, total);
    await waitUntilReady(page);
    for (const name of ['Total sales', 'Sales by month', 'Sales by category'])
      await expectText(page, name);
    await expect.poll(() => frameOf(page).locator('svg.plot').count()).toBe(4);
  });

  it('none@acme.example sees "No rows"', async () => {
    const page = await pageOf('none@acme.example');
    await expectText(page, 'No rows');
    const amounts = frameOf(page).getByText(/^\$[\d,]+$/);
    expect(await amounts.count()).toBe(0);
  });

  it('browses the whole portal, which lists only accessible reports', async () => {
    const page = await pageOf('none@acme.example');
    await page.getByLabel('Whole portal').check();
    const { sidebar } = bars(page);
    await sidebar.getByText('Superstore sales').waitFor();
    expect(await sidebar.getByText('Flight delays').count()).toBe(0);
    await sidebar.getByRole('button', { name: 'Superstore sales' }).click();
    await expectText(page, 'No rows');
  });

  it('sees all 3,000,000 flights', async () => {
    const page = await pageOf('viewer@globex.example');
    await expectText(page, '3,000,000');
    await expectText(page, 'Mean delay by hour of day');
  });

  it('never sees the token in the frame’s URL or the bearer in its document', async () => {
    const page = await pageOf('west@acme.example');
    await waitUntilReady(page);
    const frame = page.frames().find((candidate) => candidate.url().includes('portal.localhost'))!;
    expect(await frame.evaluate(() => location.href)).toBe(
      `${demo.env.ACME_BASE_URL}/organizations/${demo.env.ACME_ORGANIZATION_ID}/reports/${demo.env.SALES_REPORT_ID}`,
    );
    expect(await frame.evaluate(() => document.documentElement.outerHTML)).not.toContain('bearer');
  });

  it('sees the report again after the frame reloads its used URL', async () => {
    const page = await pageOf('west@acme.example');
    await waitUntilReady(page);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/identity') statuses.push(response.status());
    });
    // Moving an iframe in the document reloads its original URL, which is used.
    await page.evaluate(() => {
      const frame = document.querySelector('iframe')!;
      frame.parentElement!.append(frame);
    });
    await expect.poll(() => statuses).toEqual([410, 200]);
    await expectText(page, '$725,458');
    await waitUntilReady(page);
    expect(await page.locator('iframe').count()).toBe(1);
  });

  it('gets a new URL for each refresh, in a single frame and without a new history entry', async () => {
    const page = await pageOf('west@acme.example');
    await waitUntilReady(page);
    const entries = await page.evaluate(() => history.length);
    const minted: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/portal-embed/url')) minted.push(request.method());
    });
    for (let count = 1; count <= 2; count++) {
      await page.getByRole('button', { name: 'Refresh' }).first().click();
      await expect.poll(() => minted.length).toBe(count);
      await waitUntilReady(page);
      await expect.poll(() => page.locator('iframe').count()).toBe(1);
    }
    expect(await page.evaluate(() => history.length)).toBe(entries);
  });

  it('sees no rows with a filter on another region', async () => {
    const page = await pageOf('west@acme.example');
    await expectText(page, '$725,458');
    await page.getByLabel('Region filter').selectOption('East');
    await expectText(page, 'No rows');
    await page.getByLabel('Region filter').selectOption('West');
    await expectText(page, '$725,458');
  });

  it('hideMenu, hideNavbar, hideSidebar and embed each hide the named bars', async () => {
    const page = await pageOf('west@acme.example');
    await page.getByLabel('Whole portal').check();
    const { menu, navbar, sidebar } = bars(page);
    const countBars = async () => ({
      menu: await menu.count(),
      navbar: await navbar.count(),
      sidebar: await sidebar.count(),
    });
    await sidebar.getByRole('button', { name: 'Superstore sales' }).click();
    await expect.poll(countBars).toEqual({ menu: 1, navbar: 1, sidebar: 1 });
    let last = '';
    for (const [flag, expected] of [
      ['hideMenu', { menu: 0, navbar: 1, sidebar: 1 }],
      ['hideNavbar', { menu: 1, navbar: 0, sidebar: 1 }],
      ['hideSidebar', { menu: 1, navbar: 1, sidebar: 0 }],
      ['embed', { menu: 0, navbar: 0, sidebar: 0 }],
    ] as const) {
      if (last) await page.getByLabel(last, { exact: true }).uncheck();
      await page.getByLabel(flag, { exact: true }).check();
      await expect.poll(countBars).toEqual(expected);
      await expectText(page, '$725,458');
      last = flag;
    }
  });

  it('causes one POST, one opening and one audit entry per mount', async () => {
    const countEntries = async () => {
      const answer = await send(
        `${demo.env.REPORTS_URL}/api/report-audit?userEmail=east@acme.example&pageSize=200`,
        { headers: { 'x-api-key': demo.env.ACME_API_KEY } },
      );
      return answer.json().data.length as number;
    };
    const page = await pageOf('east@acme.example');
    await expectText(page, '$678,781');
    await waitUntilReady(page);
    const before = await countEntries();
    const counts = { '/portal-embed/url': 0, '/identity': 0 };
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (Object.hasOwn(counts, pathname)) counts[pathname as keyof typeof counts]++;
    });
    await page.reload();
    await waitUntilReady(page);
    await expectText(page, '$678,781');
    expect(counts).toEqual({ '/portal-embed/url': 1, '/identity': 1 });
    expect(await countEntries()).toBe(before + 1);
  });

  it('sees reports with all cookies of the portal blocked', async () => {
    const context = await launchBlockingCookies('[*.]portal.localhost');
    const page = await openHostPage(context, demo.env.HOST_URL_ACME, 'west@acme.example');
    await expectText(page, '$725,458');
    // Check that the browser really blocks the portal's storage.
    const keep = frameOf(page)
      .locator('body')
      .evaluate(() => {
        document.cookie = 'kept=1; SameSite=None; Secure';
        return localStorage.length;
      });
    await expect(keep).rejects.toThrow('Access is denied');
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['host.sid']);
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await waitUntilReady(page);
    await page.getByLabel('Whole portal').check();
    await bars(page).sidebar.getByRole('button', { name: 'Superstore sales' }).click();
    await expectText(page, '$725,458');
    await context.close();
  });
});

// After the other tests of this user, because it signs their page out.
it('a sign-out in one tab takes the report from the others at their next request', async () => {
  const page = await pageOf('east@acme.example');
  await expectText(page, '$678,781');
  const otherTab = await page.context().newPage();
  await otherTab.goto(demo.env.HOST_URL_ACME);
  await otherTab.getByRole('button', { name: 'Sign in as somebody else' }).click();
  await otherTab.getByRole('button', { name: 'east@acme.example' }).waitFor();

  expect(await frameOf(page).getByText('$678,781', { exact: true }).count()).toBeGreaterThan(0);
  // The portal refuses the request; otherwise the host would not be asked for a fresh URL.
  const refused = page.waitForResponse(
    (response) => response.url().startsWith(demo.env.ACME_BASE_URL) && response.status() === 401,
  );
  await bars(page).menu.click();
  await refused;
  await page.getByRole('link', { name: 'You are signed out.' }).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
});

describe('a Globex user', () => {
  it('never sees Superstore by any URL, ID or session', async () => {
    const { env } = demo;
    const cookie = await signIn(env.HOST_URL_GLOBEX, 'viewer@globex.example');
    const byReport = await requestUrl(
      env.HOST_URL_GLOBEX,
      { reportId: env.SALES_REPORT_ID },
      { cookie },
    );
    expect([byReport.status, byReport.json().code]).toEqual([403, 'report_not_accessible']);

    const whole = await requestUrl(env.HOST_URL_GLOBEX, {}, { cookie });
    const page = await send(whole.json().embedUrl);
    expect(page.status).toBe(200);
    expect(page.body).not.toContain('Superstore');
    const { bearer } = JSON.parse(/id="viewer-session">(.*?)<\/script>/.exec(page.body)![1]!);
    for (const address of [env.GLOBEX_BASE_URL, env.ACME_BASE_URL, env.REPORTS_URL]) {
      const answer = await send(`${address}/viewer/reports/${env.SALES_REPORT_ID}/view`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        json: { intent: 'open' },
      });
      expect([401, 403]).toContain(answer.status);
      expect(answer.body).not.toMatch(/Superstore|\$|tiles/);
    }

    // Acme's session cookie is not valid at Globex's host name.
    const acme = await signIn(env.HOST_URL_ACME, 'west@acme.example');
    const mixed = await requestUrl(
      env.HOST_URL_GLOBEX,
      { reportId: env.SALES_REPORT_ID },
      { cookie: acme },
    );
    expect(mixed.status).not.toBe(200);

    const browserPage = await pageOf('viewer@globex.example');
    await browserPage.getByLabel('Whole portal').check();
    await bars(browserPage).sidebar.getByText('Flight delays').waitFor();
    expect(await frameOf(browserPage).getByText('Superstore').count()).toBe(0);
  });
});

describe('the whole browser run', () => {
  it('logs no API key, token or bearer and breaks no page’s policy', async () => {
    const logs = readLogs(demo);
    expect(logs).toContain('/api/identity/url');
    const keys = Object.entries(demo.env).filter(([name]) => name.endsWith('API_KEY'));
    expect(keys).toHaveLength(4);
    for (const [, key] of keys) expect(logs).not.toContain(key);
    // Tokens and bearers are 43 characters of base64url. No such string may be logged.
    expect(logs.match(/[^\w-][\w-]{43}[^\w-]/g) ?? []).toEqual([]);
    expect(violations).toEqual([]);
  });
});

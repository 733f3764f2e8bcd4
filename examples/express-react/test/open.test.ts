import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchHeadless } from 'test-support';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { readLogs, signIn } from './demo.ts';

const demo = inject('demo');
const { HOST_URL_ACME: host, ACME_BASE_URL: portal, SALES_REPORT_ID: salesReport } = demo.env;
const link = `${host}/portal-embed/open?reportId=${salesReport}`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchHeadless();
});
afterAll(() => browser?.close());

type SameSite = 'Lax' | 'Strict';

/** A browser in which a user has signed in at the host application. */
async function signedIn(sameSite: SameSite = 'Lax'): Promise<BrowserContext> {
  const [name, value] = (await signIn(host, 'west@acme.example')).split('=') as [string, string];
  const context = await browser.newContext();
  const { hostname: domain } = new URL(host);
  await context.addCookies([{ name, value, domain, path: '/', httpOnly: true, sameSite }]);
  return context;
}

/** Follows the link from a page of another site, as from a mail in a browser. */
async function openFromMail(context: BrowserContext): Promise<Page> {
  const mail = await context.newPage();
  await mail.route('http://mail.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${link}&utm_source=mail" target="_blank">Your report</a>`,
    }),
  );
  await mail.goto('http://mail.example/');
  const [page] = await Promise.all([context.waitForEvent('page'), mail.click('a')]);
  return page;
}

async function expectReport(page: Page) {
  await page.getByText('$725,458', { exact: true }).first().waitFor();
  // Neither the token nor the address of the host stays in the tab. The numbers may be visible
  // before the script has replaced the address.
  await page.waitForURL(`${portal}/organizations/**`);
  expect(page.url()).not.toContain('token');
  expect(await page.evaluate(() => document.referrer)).toBe('');
}

describe('a link to /portal-embed/open', () => {
  it('opens the report of the host page in a new tab', async () => {
    const context = await signedIn();
    const hostPage = await context.newPage();
    await hostPage.goto(host);
    const newTab = hostPage.getByRole('link', { name: 'Open in a new tab' });
    const [page] = await Promise.all([context.waitForEvent('page'), newTab.click()]);
    await expectReport(page);
    expect(readLogs(demo)).not.toContain('token=');
    await context.close();
  });

  it('opens the report from a mail', async () => {
    const context = await signedIn();
    await expectReport(await openFromMail(context));
    await context.close();
  });

  it('asks the user to open the report again if the session cookie is SameSite=Strict', async () => {
    const context = await signedIn('Strict');
    const page = await openFromMail(context);
    await page.getByRole('heading', { name: 'Sign in to open this report' }).waitFor();
    await page.getByRole('link', { name: 'Open the report again' }).click();
    await expectReport(page);
    await context.close();
  });

  it('is refused for a prefetch, a frame, an image or a script', async () => {
    const context = await signedIn();
    const page = await context.newPage();
    // The policy of the host page would refuse most of them before they are sent.
    await page.route(`${host}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Host</title>' }),
    );
    await page.goto(host);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url() === link) statuses.push(response.status());
    });
    await page.evaluate(async (url) => {
      const add = (name: string, attributes: object) =>
        document.head.append(Object.assign(document.createElement(name), attributes));
      add('link', { rel: 'prefetch', href: url });
      document.body.append(
        Object.assign(document.createElement('iframe'), { src: url }),
        Object.assign(document.createElement('img'), { src: url }),
      );
      await fetch(url);
    }, link);
    await expect.poll(() => statuses.length).toBe(4);
    expect(statuses).toEqual([503, 503, 503, 503]);
    await context.close();
  });
});

describe('the page for a signed-out reader', () => {
  const sizes = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 320 },
  ] as const;

  it.each(sizes)('fits and is styled: $colorScheme, $width px', async ({ colorScheme, width }) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 480 } });
    const consoleErrors: string[] = [];
    page.on('console', (message) => consoleErrors.push(message.text()));
    await page.goto(link);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(await page.title()).toBe('Sign in to open this report');
    const look = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - innerWidth,
      ink: getComputedStyle(document.body).color,
      maxWidth: getComputedStyle(document.querySelector('main')!).maxWidth,
    }));
    const ink = colorScheme === 'dark' ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)';
    expect(look).toEqual({ overflow: 0, ink, maxWidth: '544px' });
    expect(consoleErrors.filter((text) => !text.includes('401'))).toEqual([]);
    await page.close();
  });
});

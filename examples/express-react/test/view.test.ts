import type { Browser, Page } from 'playwright-core';
import { launchHeadless } from 'testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import type { PageData } from '../src/page-data.ts';
import './demo.ts';

const demo = inject('demo');
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchHeadless();
  page = await (await browser.newContext()).newPage();
  await page.goto(demo.env.HOST_URL_ACME);
  await page.getByRole('button', { name: 'all@acme.example' }).click();
  await expectTotal('$2,297,201');
});
afterAll(() => browser?.close());

const frameOf = (target: Page) => target.frameLocator('iframe:not([inert])');
const expectTotal = (text: string, target = page) =>
  frameOf(target)
    .getByRole('region', { name: 'Total sales' })
    .getByText(text, { exact: true })
    .waitFor();
const viewIn = (target: Page) => new URL(target.url()).searchParams.get('view');

it('a filter of the reader is in the page’s URL: Back, Forward, a reload and a copied link restore it', async () => {
  const first = page.url();
  await frameOf(page).getByRole('button', { name: 'Region', exact: true }).click();
  await frameOf(page)
    .getByRole('checkbox', { name: /^West / })
    .check();
  await page.keyboard.press('Escape');
  await expectTotal('$725,458');
  await expect.poll(() => viewIn(page)).toMatch(/^[\w-]+$/);
  const filtered = page.url();

  await page.goBack();
  await expectTotal('$2,297,201');
  expect(page.url()).toBe(first);
  await page.goForward();
  await expectTotal('$725,458');
  expect(page.url()).toBe(filtered);

  await page.reload();
  await expectTotal('$725,458');
  expect(page.url()).toBe(filtered);

  const copy = await page.context().newPage();
  await copy.goto(filtered);
  await expectTotal('$725,458', copy);
  expect(await frameOf(copy).getByRole('button', { name: 'Region: West' }).count()).toBe(1);
  await copy.close();
});

it('a link whose view does not fit shows the report with a notice, and Back leaves it', async () => {
  const before = page.url();
  const places = await page.evaluate(() => history.length);
  const link = new URL(before);
  const data = JSON.parse((await page.locator('#page-data').textContent())!) as PageData;
  // The report does not show this field, so the reader could not filter by it.
  const hidden = [{ field: 'Customer Name', values: ['Sean Miller'] }];
  const hostile = [data.reports[0]!.id, 0, hidden, [], []];
  link.searchParams.set('view', Buffer.from(JSON.stringify(hostile)).toString('base64url'));
  await page.goto(link.href);
  await expectTotal('$2,297,201');
  await frameOf(page).getByText('The requested view is not shown.').waitFor();
  expect(page.url()).toBe(link.href);
  await expect.poll(() => page.evaluate(() => history.length)).toBe(places + 1);
  await page.goBack();
  await expectTotal('$725,458');
});

it('another report has a view of its own, and Back returns to the filtered one', async () => {
  await page.getByLabel('Flight delays').check();
  await frameOf(page).getByText('3,000,000', { exact: true }).first().waitFor();
  expect(viewIn(page)).toBeNull();
  await page.goBack();
  await expectTotal('$725,458');
});

import type { Browser, Page } from 'playwright-core';
import { launchHeadless } from 'test-support';
import { chooseCases } from 'test-support/repetitions';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import type { PageData } from '../../src/page-data.ts';
import '../demo.ts';

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

const html = '<img src=x onerror="alert(1)">';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Views that no reader can have, by what is wrong with them, for two reports. */
function listHostileViews(report: string, other: string): [string, string][] {
  const filter = (...filters: unknown[]) => encode([report, 0, filters, [], []]);
  const proto = { ['__proto__']: { field: 'Region', values: ['West'] } };
  return Object.entries({
    html,
    'not Base64': '%%%',
    'a page that the report lacks': encode([report, 999, [], [], []]),
    'a prototype as field': filter({ field: '__proto__', values: ['West'] }),
    'an unknown column': encode([report, 0, [], [{ tile: '0.0.0', column: -1 }], []]),
    'a deep list': Buffer.from('['.repeat(1_500) + ']'.repeat(1_500)).toString('base64url'),
    'not JSON': Buffer.from('[').toString('base64url'),
    'the longest text': 'A'.repeat(6_000),
    'no list': encode({ reportId: report }),
    'another report': encode([other, 0, [], [], []]),
    'a report named as HTML': encode([html, 0, [], [], []]),
    'a page that is a text': encode([report, '0', [], [], []]),
    'a prototype as filter': filter(proto),
    'a field that the report does not show': filter({ field: 'Customer Name', values: [html] }),
    'a list as value': filter({ field: 'Region', values: [['West']] }),
    'an unknown period': filter({ field: 'Order Date', values: ['9999-99-99..'] }),
    'an unknown tile': filter({ field: 'Region', values: ['West'], tile: '__proto__' }),
    'an unknown level': encode([report, 0, [], [], [{ tile: '0.1.0', path: ['x'] }]]),
  });
}

it('a hostile view breaks nothing: the report shows its defaults, and says that the view is not shown', async () => {
  const target = await page.context().newPage();
  const complaints: string[] = [];
  target.on('pageerror', ({ message }) => complaints.push(message));
  target.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  const data = JSON.parse((await page.locator('#page-data').textContent())!) as PageData;
  const [report, other] = data.reports.map(({ id }) => id);
  const views = listHostileViews(report!, other!);
  for (const [name, view] of chooseCases(3, views)) {
    const link = new URL(page.url());
    link.searchParams.set('view', view);
    await target.goto(link.href);
    await expectTotal('$2,297,201', target);
    await frameOf(target).getByText('The requested view is not shown.').waitFor();
    expect([name, ...complaints]).toEqual([name]);
  }
  await target.close();
}, 120_000);

it('another report has a view of its own, and Back returns to the filtered one', async () => {
  await page.getByLabel('Flight delays').check();
  await frameOf(page).getByText('3,000,000', { exact: true }).first().waitFor();
  expect(viewIn(page)).toBeNull();
  await page.goBack();
  await expectTotal('$725,458');
});

it('the page "Regions" shows the profit of each region and segment', async () => {
  await frameOf(page).getByRole('button', { name: 'Reset', exact: true }).click();
  await expectTotal('$2,297,201');
  await frameOf(page).getByRole('tab', { name: 'Regions' }).click();
  const labels = (title: string) =>
    frameOf(page).getByRole('region', { name: title }).locator('svg.plot text').allTextContents();
  await expect
    .poll(() => labels('Profit by region'))
    .toEqual(expect.arrayContaining(['West', '$108,418']));
  await expect
    .poll(() => labels('Profit by segment'))
    .toEqual(expect.arrayContaining(['Home Office', '$60,299']));
});

import path from 'node:path';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import { ordersDataset, writeFiles } from '../support/content-files.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';
import { publish } from '../support/warehouse.ts';

const longWord = 'W'.repeat(300);
const control = 'Desk\u0001s';
const ordersCsv = `Region,Category,Ordered,Sales
West,${longWord},2024-01-03,10
West,${control},2024-02-03,20
`;
const report = `name: Orders
workspace: Sales
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles:
          - type: table
            title: Categories
            dimensions: [Category]
            metrics: [Sales]
          - type: pivot
            title: Regions
            rows: [Region]
            columns: [Ordered by year, Category]
            metrics: [Sales]
            totals: true
          - type: bar
            title: By category
            x: Category
            y: Sales
`;

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
let browser: Browser;
let portal: TestPortal;
let reportId: string;
buildFirst();
beforeAll(async () => {
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': ordersCsv });
  ({ reportId } = await publish(portal, portal.acme, ordersDataset, report));
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

async function openReport(width: number, userEmail = portal.acme.emails.west) {
  const page = await browser.newPage({ viewport: { width, height: 800 }, locale: 'en-US' });
  await page.goto(await mint(portal, portal.acme, { userEmail, reportId }));
  // The page that the service drew is replaced.
  await page.locator('#first-page').waitFor({ state: 'detached' });
  return page;
}

it.each([320, 390, 1_440])(
  'a long word in a table leaves the numbers in sight in a page of %d pixels',
  async (width) => {
    const page = await openReport(width);
    const table = page.getByRole('region', { name: 'Categories' });
    const cell = table.getByRole('cell', { name: '$10.00' });
    const [number, tile] = [(await cell.boundingBox())!, (await table.boundingBox())!];
    expect(number.x + number.width).toBeLessThanOrEqual(tile.x + tile.width);
    await page.close();
  },
);

/** Evaluated in the browser: cells whose text is painted beside them. */
const findPaintedOver = `[...document.querySelectorAll('th, td')].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
  return text.width > 0 && (text.left < box.left - 9 || text.right > box.right + 9 || text.bottom > box.bottom + 6);
}).map(({ textContent }) => textContent.slice(0, 20))`;

it.each([120, 320, 1_440])(
  'no text of a table or pivot is painted over its neighbors in a page of %d pixels',
  async (width) => {
    const page = await openReport(width);
    await page.locator('.pivot').waitFor();
    await page.locator('svg.plot').waitFor();
    await expect.poll(() => page.evaluate(findPaintedOver)).toEqual([]);
    await page.close();
  },
);

it('usual words stay whole on a phone', async () => {
  const page = await openReport(320);
  await page.locator('.pivot').waitFor();
  const broken = await page.evaluate(`[...document.querySelectorAll('th, td')].filter((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.querySelector('button') ?? cell);
    return /^\\w{1,16}$/.test(cell.textContent) && range.getClientRects().length > 1;
  }).map(({ textContent }) => textContent)`);
  expect(broken).toEqual([]);
  await page.close();
});

it('a chart of a text with a control character is downloaded as a picture', async () => {
  const page = await openReport(1_440);
  await page.locator('svg.plot').waitFor();
  await page.getByRole('button', { name: 'More: By category' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Orders - By category.png');
  await page.close();
});

it.each([320, 1_440])(
  'a long name and e-mail are shown whole in a page of %d pixels',
  async (width) => {
    const userEmail = `${'maximiliane.'.repeat(5)}${width}@${'subsidiary.'.repeat(8)}example`;
    const user = { email: userEmail, name: 'Donaudampfschifffahrt'.repeat(4), role: 3 };
    expect((await portal.api('POST', '/api/user', { json: user })).status).toBe(201);
    const link = { userEmail, reports: [reportId] };
    expect((await portal.api('PUT', '/api/user/link-reports', { json: link })).status).toBe(204);
    const page = await openReport(width, userEmail);
    await page.getByText(userEmail).waitFor();
    const cut = await page.evaluate(`[...document.querySelectorAll('.navbar *')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ className }) => className)`);
    expect(cut).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.close();
  },
);

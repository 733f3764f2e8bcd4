import fs from 'node:fs/promises';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { isPrintingHandled } from '../support/printing.ts';
import { mint } from '../support/viewer.ts';

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;
let portal: TestPortal;
let browser: Browser;
buildFirst();
beforeAll(async () => {
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

/** Opens the report of Acme. The print dialog is counted and not opened. */
async function openReport() {
  const { acme } = portal;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.addInitScript('window.prints = 0; window.print = () => (window.prints += 1)');
  const userEmail = acme.emails.both;
  await page.goto(await mint(portal, acme, { userEmail, reportId: acme.reportId }));
  await page.locator('svg.plot').nth(1).waitFor();
  const openMenu = () =>
    page.getByRole('button', { name: 'More: Sales by category' }).press('Enter');
  return { page, complaints, openMenu };
}

const countExports = async () =>
  (await portal.api('GET', '/api/report-audit?action=2')).json().data.length as number;

it('a reader downloads the rows of a tile by keyboard, and Escape closes its menu', async () => {
  const { page, complaints, openMenu } = await openReport();
  await openMenu();
  const entry = page.getByRole('button', { name: 'Download CSV' });
  await entry.waitFor();
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
  await openMenu();
  const before = await countExports();
  const [download] = await Promise.all([page.waitForEvent('download'), entry.press('Enter')]);
  expect(download.suggestedFilename()).toBe('Orders - Sales by category.csv');
  expect(await fs.readFile(await download.path(), 'utf8')).toBe(
    '\uFEFFCategory,Sales\r\nDesks,45\r\nChairs,25\r\n',
  );
  expect(await countExports()).toBe(before + 1);
  expect(complaints).toEqual([]);
  await page.close();
});

it('a reader downloads a picture of a chart at twice its size, without an entry in the log', async () => {
  const { page, complaints, openMenu } = await openReport();
  await openMenu();
  const before = await countExports();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download picture' }).click(),
  ]);
  const file = await fs.readFile(await download.path());
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  const box = (await page.getByRole('region', { name: 'Sales by category' }).boundingBox())!;
  expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([
    Math.ceil(box.width * 2),
    Math.ceil(box.height * 2),
  ]);
  expect(await countExports()).toBe(before);
  expect(complaints).toEqual([]);
  await page.close();
});

it.each([
  ['keys', (page: Page) => page.keyboard.press('Control+p')],
  ['menu', (page: Page) => page.evaluate("dispatchEvent(new Event('beforeprint'))")],
])(
  'the browser’s %s for printing print the report as designed, with an entry in the log',
  async (_way, ask) => {
    const { page, complaints } = await openReport();
    await expect.poll(() => isPrintingHandled(page)).toBe(true);
    const before = await countExports();
    const sheets = () => page.evaluate('document.adoptedStyleSheets.length');
    await ask(page);
    await expect.poll(sheets).toBe(1);
    await expect.poll(countExports).toBe(before + 1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.navbar').isVisible()).toBe(false);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await sheets()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

it('a reader prints a report without bars, in light colors, with an entry in the log', async () => {
  const { page, complaints } = await openReport();
  await page.emulateMedia({ colorScheme: 'dark' });
  const before = await countExports();
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate('prints')).toBe(1);
  expect(await countExports()).toBe(before + 1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await page.locator('.navbar').isVisible()).toBe(false);
  const surface = await page.evaluate(
    "getComputedStyle(document.querySelector('.tile')).backgroundColor",
  );
  expect(surface).toBe('rgb(255, 255, 255)');
  expect((await page.pdf({ preferCSSPageSize: true })).subarray(0, 4).toString()).toBe('%PDF');
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await page.emulateMedia({ media: 'screen' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
  expect(complaints).toEqual([]);
  await page.close();
});

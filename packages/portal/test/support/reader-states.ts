import path from 'node:path';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect } from 'vitest';

import type { Page } from './axe.ts';
import { loadBuiltAssets } from './built-assets.ts';
import { writeFiles } from './content-files.ts';
import { startTestPortal, type TestPortal } from './portal.ts';
import { dataset, report } from './reader-numbers/report.ts';
import { createRows, writeCsv } from './reader-numbers/rows.ts';
import { mint } from './viewer.ts';
import { publish } from './warehouse.ts';

type ContextOptions = Parameters<Awaited<ReturnType<typeof launchHeadless>>['newPage']>[0];

/** A portal with a report that has every kind of tile, and a browser. */
export function setUpReader() {
  let portal: TestPortal;
  let browser: Awaited<ReturnType<typeof launchHeadless>>;
  let reportId: string;
  buildFirst();
  beforeAll(async () => {
    const assets = await loadBuiltAssets();
    [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
    const { acme, datasetFolder } = portal;
    const rows = createRows(400, [acme.emails.west], 1);
    writeFiles(path.join(datasetFolder, acme.id), { 'numbers.csv': writeCsv(rows) });
    ({ reportId } = await publish(portal, acme, dataset, report));
  });
  afterAll(async () => {
    await browser.close();
    await portal.close();
  });

  return {
    /** Opens the report, all reports of the reader, or the shell without a host. */
    async open(
      options: ContextOptions = {},
      what: 'report' | 'home' | 'shell' = 'report',
    ): Promise<Page> {
      const { acme } = portal;
      const page = await browser.newPage({
        viewport: { width: 1280, height: 900 },
        locale: 'en-US',
        ...options,
      });
      const json = { userEmail: acme.emails.both, embed: false };
      if (what === 'shell') await page.goto(`${acme.address}/embed`);
      else
        await page.goto(await mint(portal, acme, what === 'home' ? json : { ...json, reportId }));
      const shown = { report: 'svg.plot', home: 'main .card', shell: '.notice' };
      await page.locator(shown[what]).first().waitFor();
      return page;
    },
  };
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first();
const openMenu = async (page: Page) => {
  await page
    .getByRole('button', { name: /^More: / })
    .nth(1)
    .click();
  await button(page, 'Download CSV').waitFor();
};
const openFilter = (name: string) => async (page: Page) => {
  await button(page, name).click();
  await page.getByRole('dialog', { name }).locator('input').first().waitFor();
};
const selectRow = async (page: Page) => {
  await page.locator('.marked').first().click();
  await page.getByText(/^Selected: /).waitFor();
};
const drill = async (page: Page) => {
  const chart = page.getByRole('region', { name: /^Sales by (group|product)$/ });
  await chart.getByRole('slider').press('Enter');
  await chart.getByRole('button', { name: /^Drill down/ }).click();
  await chart.getByRole('navigation').waitFor();
};

/** Brings a page into each state that a reader can meet. */
export const readerStates: Record<
  string,
  {
    from?: 'home' | 'shell';
    bring: (page: Page) => Promise<unknown>;
  }
> = {
  report: { bring: async () => {} },
  'a list of values': { bring: openFilter('Region') },
  'a choice of dates': { bring: openFilter('Ordered') },
  'a range of numbers': { bring: openFilter('Quantity') },
  'a selected row': { bring: selectRow },
  'a drilled chart': { bring: drill },
  'a table of a chart': { bring: (page) => button(page, /^Show .* as a table$/).click() },
  'a full view': {
    bring: async (page) => {
      await openMenu(page);
      await button(page, 'Full view').click();
    },
  },
  'a menu': { bring: openMenu },
  'a running export': {
    bring: async (page) => {
      await page.route('**/export', () => {});
      await openMenu(page);
      await button(page, 'Download CSV').click();
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
    },
  },
  'a failed export': {
    bring: async (page) => {
      await page.route('**/export', (route) => route.abort());
      await openMenu(page);
      await button(page, 'Download CSV').click();
      await page.getByRole('status').filter({ hasText: 'Check' }).first().waitFor();
    },
  },
  'the reasons for the rows': {
    bring: async (page) => {
      await button(page, 'Why these rows?').click();
      await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
    },
  },
  'a refresh': {
    bring: async (page) => {
      await page.route('**/view', () => {});
      await button(page, 'Refresh').click();
      await page.locator('[data-stale=true]').waitFor();
    },
  },
  'a failed refresh': {
    bring: async (page) => {
      await page.route('**/view', (route) => route.abort());
      await button(page, 'Refresh').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'no rows': {
    bring: async (page) => {
      await openFilter('Quantity')(page);
      await page.getByRole('spinbutton', { name: 'From' }).fill('1000');
      await page.keyboard.press('Enter');
      await page.getByText('No rows').first().waitFor();
      await page.keyboard.press('Escape');
    },
  },
  'an ended session': {
    bring: async (page) => {
      await page.route('**/view', (route) =>
        route.fulfill({ status: 401, json: { code: 'session_required', status: 401 } }),
      );
      await button(page, 'Refresh').click();
      await page.getByText(/session has ended/).waitFor();
    },
  },
  'a used link': { bring: (page) => page.goto(page.url()) },
  'a print': {
    bring: async (page) => {
      await page.evaluate('window.print = () => { window.isPrinted = true }');
      await button(page, 'Print').click();
      await expect.poll(() => page.evaluate('window.isPrinted')).toBe(true);
      await page.emulateMedia({ media: 'print' });
    },
  },
  'a shell without a host': { from: 'shell', bring: async () => {} },
  home: { from: 'home', bring: async () => {} },
  'a report that loads': {
    from: 'home',
    bring: async (page) => {
      await page.route('**/view', () => {});
      await page.locator('main .card').first().click();
      await page.locator('.skeleton').first().waitFor();
    },
  },
  'a search': {
    from: 'home',
    bring: (page) => page.getByRole('main').getByRole('searchbox').fill('orders'),
  },
  'a search without results': {
    from: 'home',
    bring: (page) => page.getByRole('main').getByRole('searchbox').fill('nothing at all'),
  },
};

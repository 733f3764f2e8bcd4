import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { startFirefox } from 'test-support/engines';
import { afterAll, expect, it } from 'vitest';

import {
  click,
  clickLongestMark,
  expectInTile,
  expectPage,
  expectTile,
  openPortal,
  press,
  setUpReader,
} from './reader-page.ts';

const downloads = createTemporaryFolder('portal-downloads-');
afterAll(() => fs.rmSync(downloads, { recursive: true }));
const reader = setUpReader(() =>
  startFirefox({ 'browser.download.folderList': 2, 'browser.download.dir': downloads }),
);
const quarters = 'Sales by quarter and segment';

/** Polls a file that the browser saves. */
const expectDownload = (name: string, encoding: 'latin1' | 'utf8') =>
  expect.poll(() => {
    const file = path.join(downloads, name);
    return fs.existsSync(file) ? fs.readFileSync(file, encoding) : '';
  });

it('a reader types a date range', async () => {
  await click(reader, 'Order Date');
  await click(reader, 'From');
  await reader.page.type('01012016');
  await press(reader, 'Tab');
  await press(reader, 'Tab');
  await reader.page.type('12312016');
  await press(reader, 'Enter');
  await expectInTile(reader, 'Total sales', '$609,206');
  await press(reader, 'Escape');
  await expectPage(reader).toContain('Order Date: Jan 1, 2016 – Dec 31, 2016');
});

it('a reader drills into a quarter, and goes back', async () => {
  await clickLongestMark(reader, quarters);
  await expectInTile(reader, quarters, 'Selected: Q4 2017');
  await click(reader, 'Drill down to Order Date by month', quarters);
  await expectInTile(reader, quarters, 'All\nQ4 2017');
  await click(reader, 'All', quarters);
  await expectTile(reader, quarters).not.toContain('All\nQ4 2017');
});

it('a reader downloads the rows of a tile', async () => {
  await click(reader, 'More: Sales by category');
  await click(reader, 'Download CSV');
  const lines = /^\uFEFFCategory,Sales\r\nTechnology,836154\.\d+\r\nFurniture,741999\.\d+\r\n/;
  await expectDownload('Superstore sales - Sales by category.csv', 'utf8').toMatch(lines);
});

it('a reader downloads a picture of a chart', async () => {
  await click(reader, 'More: Sales by category');
  await click(reader, 'Download picture');
  await expectDownload('Superstore sales - Sales by category.png', 'latin1').toMatch(/^.PNG/);
});

it('a favorite stays on the home page when the reader returns', async () => {
  const isFavorite = () =>
    reader.page.evaluate(
      () =>
        document
          .querySelector('[aria-label="Favorite: Flight delays"]')
          ?.getAttribute('aria-pressed') ?? null,
    );
  await openPortal(reader);
  await click(reader, 'Favorite: Flight delays');
  await expect.poll(isFavorite).toBe('true');
  await openPortal(reader);
  await expect.poll(isFavorite).toBe('true');
  await click(reader, 'Favorite: Flight delays');
  await expect.poll(isFavorite).toBe('false');
});

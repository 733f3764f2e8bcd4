import { expect, it } from 'vitest';

import {
  click,
  clickLongestMark,
  countCopies,
  expectInTile,
  expectPage,
  expectTile,
  openPortal,
  press,
  setUpReader,
} from './reader-page.ts';

const reader = setUpReader();
const total = 'Total sales';

it('a reader searches the values of a filter, chooses two, and resets them', async () => {
  await click(reader, 'Region');
  await click(reader, 'Search Region');
  await reader.page.type('west');
  await expectPage(reader).not.toContain('Central');
  await click(reader, 'West3,203');
  await expectInTile(reader, total, '$725,458');
  await click(reader, 'Search Region');
  for (const _ of 'west') await press(reader, 'Backspace');
  await click(reader, 'East2,848');
  await expectInTile(reader, total, '$1,404,239');
  await press(reader, 'Escape');
  await expectPage(reader).toContain('Region: West or East');
  await click(reader, 'Reset');
  await expectInTile(reader, total, '$2,297,201');
});

it('a click on a mark filters the page, and a second click ends it', async () => {
  await clickLongestMark(reader, 'Sales by category');
  await expectInTile(reader, 'Sales by category', 'Selected: Technology');
  await expectInTile(reader, total, '$836,154');
  await clickLongestMark(reader, 'Sales by category');
  await expectInTile(reader, total, '$2,297,201');
  await expectTile(reader, 'Sales by category').not.toContain('Selected');
});

it('a reader goes to another page and sorts its table both ways', async () => {
  await click(reader, 'Profit');
  await expectTile(reader, 'Products').toMatch(/Canon [^$]*\$61,600/);
  await click(reader, 'Items', 'Products');
  await expectTile(reader, 'Products').toMatch(/Items\s+Staples/);
  await click(reader, 'Items', 'Products');
  await expectTile(reader, 'Products').toMatch(/\t1\n[^]*\t1\n/);
});

it('each kind of tile covers the page until Escape', async () => {
  const readCover = () =>
    reader.page.evaluate(() => {
      const cover = document.querySelector('section:popover-open')?.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      return cover ? cover.width >= clientWidth && cover.height >= clientHeight : null;
    });
  const tiles = {
    Overview: ['Total sales', 'Sales by month', 'Sales by category'],
    Profit: ['Sales and profit of sub-categories', 'Products'],
    Regions: [
      'Sales by quarter, one chart for each region',
      'Sales and profit ratio by region and year',
    ],
    Customers: ['Orders by ship mode'],
  };
  for (const [name, titles] of Object.entries(tiles)) {
    await click(reader, name);
    for (const title of titles) {
      await click(reader, `More: ${title}`);
      await click(reader, 'Full view', title);
      await expect.poll(readCover, { message: title }).toBe(true);
      await press(reader, 'Escape');
      await expect.poll(readCover, { message: title }).toBe(null);
    }
  }
});

it('a CSV and a print are entries of the access log', async () => {
  await reader.page.evaluate(() => {
    globalThis.print = () => (document.title = 'printed');
  });
  const before = await countCopies();
  await click(reader, 'More: Sales by category');
  await click(reader, 'Download CSV');
  await expect.poll(countCopies).toBe(before + 1);
  await click(reader, 'Print');
  await expect.poll(() => reader.page.evaluate(() => document.title)).toBe('printed');
  expect(await countCopies()).toBe(before + 2);
});

it('a reader finds a report by its name on the home page', async () => {
  await openPortal(reader);
  await click(reader, 'Search reports');
  await reader.page.type('superst');
  await expectPage(reader).toContain('1 report');
});

import { expect, it } from 'vitest';

import { setUpReader } from '../support/reader-states.ts';

const reader = setUpReader();

it('a reader filters, selects a mark, drills, sorts, downloads and opens "Why these rows?" by keyboard alone', async () => {
  const page = await reader.open();
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  const { keyboard } = page;
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
  const isIdle = async () =>
    expect.poll(() => page.locator('.report').getAttribute('aria-busy')).toBe('false');
  const announced = () => page.locator('.page > output').textContent();
  const table = page.getByRole('region', {
    name: 'Sales, score, and products by product and region',
  });
  const chart = page.getByRole('region', { name: /^Sales by (group|product)$/ });

  await button('Region').focus();
  await keyboard.press('Enter');
  const choices = page.getByRole('dialog', { name: 'Region' });
  await choices.getByRole('checkbox').first().waitFor();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await isIdle();
  await keyboard.press('Escape');
  await choices.waitFor({ state: 'hidden' });
  await expect.poll(focused).toMatch(/^Region: /);
  expect(await announced()).toBe('Orders is up to date');

  await chart.getByRole('slider').focus();
  await keyboard.press('Enter');
  await isIdle();
  await expect.poll(focused).toMatch(/^Values of Sales by group/);
  await keyboard.press('Tab');
  await expect.poll(focused).toMatch(/^Drill down to Product/);
  await keyboard.press('Enter');
  await chart.getByRole('navigation').waitFor();
  await isIdle();
  expect(await focused()).toMatch(/^Values of Sales by product/);

  const signs = () =>
    page.evaluate(`[...document.querySelectorAll('.tile-table .sort')].map((button) =>
      getComputedStyle(button, '::after').content).join('')`);
  const atRest = await signs();
  expect(atRest).toContain('↕');
  await table.getByRole('button', { name: 'Score', exact: true }).focus();
  await keyboard.press('Enter');
  await isIdle();
  expect(await focused()).toBe('Score');
  expect(await table.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  expect(await table.locator('th[aria-sort]').count()).toBe(1);
  expect(await signs()).not.toBe(atRest);

  await table.getByRole('button', { name: /^More: / }).focus();
  await keyboard.press('Enter');
  await button('Download CSV').waitFor();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  expect(await focused()).toBe('Download CSV');
  const [download] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  await expect.poll(focused).toMatch(/^More: /);

  await button('Why these rows?').focus();
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  await keyboard.press('Escape');
  await expect.poll(focused).toBe('Why these rows?');
  await page.close();
});

it('the name of a row stays in place while a table is scrolled on a phone', async () => {
  const page = await reader.open({ viewport: { width: 390, height: 844 } });
  const table = page.getByRole('region', {
    name: 'Sales, score, and products by product and region',
  });
  const scroll = table.locator('.table-scroll');
  const name = table.getByRole('rowheader').first();
  const before = (await name.boundingBox())!;
  await scroll.evaluate((element) => {
    element.scrollLeft = 1000;
  });
  expect(await scroll.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect((await name.boundingBox())!.x).toBeCloseTo(before.x, 0);
  expect(before.width).toBeGreaterThanOrEqual(120);
  await page.close();
});

it('a table that is wider than a phone shows and announces that it scrolls, and the arrow keys scroll it', async () => {
  const page = await reader.open({ viewport: { width: 390, height: 844 } });
  const scroll = page.getByRole('group', {
    name: 'Sales, score, and products by product and region (scrolls sideways)',
  });
  await scroll.focus();
  const left = () => scroll.evaluate((element) => element.scrollLeft);
  expect(await left()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await expect.poll(left).toBeGreaterThan(0);
  const style = (name: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('.table-scroll[tabindex]')).${name}`);
  expect(await style('backgroundImage')).toMatch(/^linear-gradient/);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await style('borderRightStyle')).toBe('dashed');
  await page.setViewportSize({ width: 780, height: 900 });
  await expect.poll(() => scroll.count()).toBe(0);
  await page.close();
});

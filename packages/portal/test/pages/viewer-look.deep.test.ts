import { expect, it } from 'vitest';

import type { Page } from '../support/axe.ts';
import { setUpReader } from '../support/reader-states.ts';

const reader = setUpReader();

it('filters and facts of the rows are one line below the title, and the tabs follow', async () => {
  const page = await reader.open({ viewport: { width: 1440, height: 900 } });
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  const [filters, facts, tabs] = [
    await boxOf('.filter-bar'),
    await boxOf('.rows-facts'),
    await boxOf('.tabs'),
  ];
  expect(Math.abs(filters.y + filters.height / 2 - (facts.y + facts.height / 2))).toBeLessThan(4);
  expect(tabs.y - (filters.y + filters.height)).toBeLessThan(12);
  await page.close();
});

it.each([
  ['en-US', 'Sales by group'],
  ['pt-BR', 'Sales por group'],
  ['es', 'Sales por group'],
  ['de', 'Sales nach Group'],
])('in %s, a tile without a title of its author is named in words', async (locale, name) => {
  const page = await reader.open({ locale });
  await expect.poll(() => page.getByRole('region', { name, exact: true }).count()).toBe(1);
  await page.close();
});

it('"Why these rows?" says which rows are shared, and names no role', async () => {
  const page = await reader.open();
  await page.getByRole('button', { name: 'Why these rows?' }).click();
  const shared = page.getByRole('list', { name: 'Shared with you' });
  await shared.waitFor();
  expect(await shared.textContent()).toMatch(/^Region: /);
  await page.close();
});

const isIdle = async (page: Page) =>
  expect.poll(() => page.locator('.report').getAttribute('aria-busy')).toBe('false');

it('several rows are selected with Ctrl, Shift and a button, and filter the other tiles', async () => {
  const page = await reader.open();
  const table = page.getByRole('region', {
    name: 'Sales, score, and products by product and region',
  });
  const row = (index: number) => table.locator('.marked').nth(index);
  const chip = page.locator('.filter-bar .filter-button[data-active=true]');
  await row(0).click();
  await isIdle(page);
  await row(1).click({ modifiers: ['Control'] });
  await isIdle(page);
  await row(2).click({ modifiers: ['Shift'] });
  await isIdle(page);
  expect(await table.locator('.mark[aria-pressed=true]').count()).toBe(3);
  expect(await chip.textContent()).toMatch(/^Product, Region: .+, .+, .+, or .+, .+$/);
  expect(await page.evaluate('getSelection().isCollapsed')).toBe(true);
  await table.getByRole('button', { name: 'Clear' }).click();
  await isIdle(page);
  await row(0).click();
  await table.getByRole('button', { name: 'Select several' }).press('Enter');
  await isIdle(page);
  await row(1).locator('.mark').press('Enter');
  await isIdle(page);
  expect(await table.locator('.mark[aria-pressed=true]').count()).toBe(2);
  await page.close();
});

it('by touch, "Select several" adds the marks of a chart', async () => {
  const page = await reader.open({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const donut = page.getByRole('region', { name: 'Orders by group' }).first();
  const ring = donut.locator('.ring');
  await ring.scrollIntoViewIfNeeded();
  /** Taps the ring at an angle from its top, clockwise. */
  const tapAt = async (degrees: number) => {
    const { x, y, width, height } = (await ring.boundingBox())!;
    const angle = (degrees / 180) * Math.PI;
    await page.touchscreen.tap(
      x + width / 2 + 0.38 * width * Math.sin(angle),
      y + height / 2 - 0.38 * height * Math.cos(angle),
    );
    await isIdle(page);
  };
  await tapAt(60);
  await donut.getByRole('button', { name: 'Select several' }).tap();
  await tapAt(180);
  await expect.poll(() => donut.locator('output').textContent()).toMatch(/^Selected: \w+ and \w+$/);
  await page.close();
});

it('by keyboard, Ctrl+Enter adds the marks of a chart', async () => {
  const page = await reader.open();
  const chart = page.getByRole('region', { name: 'Sales by group' });
  const slider = chart.getByRole('slider');
  await slider.press('Enter');
  await isIdle(page);
  await slider.press('ArrowRight');
  await slider.press('Control+Enter');
  await isIdle(page);
  await expect.poll(() => chart.locator('output').textContent()).toMatch(/^Selected: \w+ and \w+$/);
  await page.close();
});

it('a selection holds on all pages if the reader says so, and is lost to them if not', async () => {
  const page = await reader.open();
  const chart = page.getByRole('region', { name: 'Sales by group' });
  await chart.getByRole('slider').press('Enter');
  await isIdle(page);
  const chip = page.locator('.filter-bar .filter-button[data-active=true]');
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const bars = page.locator('.tile svg [aria-label="rect"]:not([fill^="url"]) rect');
  await tab('Details');
  await expect.poll(() => bars.count()).toBe(3);
  expect(await chip.count()).toBe(0);
  await tab('Overview');
  await chart.getByRole('button', { name: 'On all pages' }).click();
  await isIdle(page);
  await tab('Details');
  await expect.poll(() => bars.count()).toBe(1);
  expect(await chip.textContent()).toMatch(/^Group: /);
  await page.close();
});

it('drilling down keeps the mark as a filter of the other tiles', async () => {
  const page = await reader.open();
  const chart = page.getByRole('region', { name: /^Sales by (group|product)$/ });
  await chart.getByRole('slider').press('Enter');
  await chart.getByRole('button', { name: /^Drill down/ }).click();
  await chart.getByRole('navigation').waitFor();
  await isIdle(page);
  const chip = page.locator('.filter-bar .filter-button[data-active=true]');
  expect(await chip.textContent()).toMatch(/^Group: \w+$/);
  await chart.getByRole('slider').press('Enter');
  await isIdle(page);
  expect(await chip.textContent()).toMatch(/^Group: \w+ and Product: \w+ \d$/);
  await page.close();
});

import { expect, it } from 'vitest';

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

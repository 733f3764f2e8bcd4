import { expect, it } from 'vitest';

import { findViolations } from '../support/axe.ts';
import { setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();
type Page = Awaited<ReturnType<typeof gallery.open>>['page'];

async function open(options: Partial<Parameters<typeof gallery.open>[0]> = {}) {
  const { page } = await gallery.open({ width: 1440, ...options });
  await page.locator('svg.plot').first().waitFor();
  return page;
}

const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Calls a function of the browser, given as text, with the elements of a tile. */
const measure = <Result>(page: Page, tile: string, selector: string, read: string) =>
  page.evaluate<Result>(`(${read})([
    ...[...document.querySelectorAll('.tile')]
      .find((tile) => tile.querySelector('.tile-title')?.textContent === ${JSON.stringify(tile)})
      .querySelectorAll(${JSON.stringify(selector)}),
  ])`);

const linesOf = (tip: string | null) => (tip ?? '').split('\n');

it('more than 25 bars fold the middle, and a button shows them all without an inner scroll', async () => {
  const page = await open();
  const tile = tileOf(page, 'Sales of 50 products');
  const bars = tile.locator('svg [aria-label="rect"]:not([fill^="url"]) rect');
  await expect.poll(() => bars.count()).toBe(24);
  // The greatest loss is in sight.
  await tile.locator('svg').getByText('-$23,300').waitFor();
  await tile.locator('svg').getByText('26 more').waitFor();
  await tile.getByRole('button', { name: 'Show all 50 values' }).press('Enter');
  await expect.poll(() => bars.count()).toBe(50);
  const isScrolled = await measure<boolean>(
    page,
    'Sales of 50 products',
    '.drawing',
    '([drawing]) => drawing.scrollHeight > drawing.clientHeight',
  );
  expect(isScrolled).toBe(false);
  await tile.getByRole('button', { name: 'Show fewer values' }).click();
  await expect.poll(() => bars.count()).toBe(24);
  // A click on the row unfolds it, too.
  await tile.locator('svg').getByText('26 more').click();
  await expect.poll(() => bars.count()).toBe(50);
  await page.close();
});

it('bars below zero differ by their color and by a hatch, and start at the line of zero', async () => {
  const page = await open();
  const tile = tileOf(page, 'Sales of 50 products');
  const fills = tile.locator('svg [aria-label="rect"]:not([fill^="url"]) rect');
  await expect.poll(() => fills.count()).toBe(24);
  const [first, last] = await measure<string[]>(
    page,
    'Sales of 50 products',
    'svg [aria-label="rect"]:not([fill^="url"]) rect',
    '(rects) => [rects[0], rects.at(-1)].map((rect) => getComputedStyle(rect).fill)',
  );
  expect(first).not.toBe(last);
  const hatches = tile.locator('svg [fill^="url"] rect');
  expect(await hatches.count()).toBe(12);
  const zero = (await tile.locator('svg [aria-label="rule"]').first().boundingBox())!;
  const [gain, loss] = [(await fills.first().boundingBox())!, (await fills.last().boundingBox())!];
  expect(gain.x).toBeCloseTo(zero.x, 0);
  expect(loss.x + loss.width).toBeCloseTo(zero.x, 0);
  await page.close();
});

/** Evaluated in the browser: the contrasts of marks to the surface of their tile. */
const measureContrasts = `(rects) => {
  const canvas = document.createElement('canvas').getContext('2d');
  const luminanceOf = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return rects.map((rect) => {
    const surface = luminanceOf(getComputedStyle(rect.closest('.tile')).backgroundColor);
    const mark = luminanceOf(getComputedStyle(rect).fill);
    return Math.max(surface, mark) / Math.min(surface, mark);
  });
}`;

it.each(['light', 'dark'] as const)(
  'colors of values and of an order have a contrast of 3 in %s mode',
  async (colorScheme) => {
    const page = await open({ colorScheme });
    for (const name of ['Tickets by priority', 'Result by month and priority']) {
      await tileOf(page, name).locator('.swatch').first().waitFor();
      const contrasts = await measure<number[]>(page, name, '.swatch rect', measureContrasts);
      expect(contrasts.length).toBeGreaterThan(3);
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
    }
    await page.close();
  },
);

it('the legend, the columns of a pivot and the sorting of a table follow the order of a field', async () => {
  const page = await open();
  const inOrder = ['low', 'mid', 'high', 'urgent'];
  const legend = tileOf(page, 'Result by month and priority').locator('.legend-entry');
  await expect.poll(() => legend.allTextContents()).toEqual(inOrder);
  const pivot = tileOf(page, 'Margin by region and priority');
  await expect
    .poll(() => pivot.locator('thead th').allTextContents())
    .toEqual(['Region', ...inOrder]);
  const chart = tileOf(page, 'Tickets by priority');
  await chart.getByRole('button', { name: 'Show Tickets by priority as a table' }).click();
  await chart.getByRole('button', { name: 'Priority', exact: true }).click();
  expect(await chart.getByRole('rowheader').allTextContents()).toEqual([...inOrder, 'Other (3)']);
  await page.close();
});

it('a number that is better when lower says what is worse, in words and in color', async () => {
  const page = await open();
  const tile = tileOf(page, 'Late deliveries');
  const change = tile.locator('.kpi-change');
  expect(await change.textContent()).toBe('▲ Up +2.3 points (worse)');
  const colorOf = (selector: string) =>
    measure<string>(
      page,
      'Late deliveries',
      selector,
      '([element]) => getComputedStyle(element).color',
    );
  expect(await colorOf('.kpi-change')).not.toBe(await colorOf('.tile-title'));
  await tile.getByText('exceeded').waitFor();
  await tile.getByText('128.0% of the limit 5.0%').waitFor();
  expect(await tile.locator('.kpi-value').textContent()).toBe('! warning 6.4%');
  await page.close();
});

it('numbers of a table are highlighted by more than a color', async () => {
  const page = await open();
  const table = page.getByRole('table', { name: 'Highlighted accounts' });
  const row = table.getByRole('row').filter({ hasText: 'Customer 8' });
  const cells = row.getByRole('cell');
  expect(await cells.allTextContents()).toEqual([
    'low (opens in a new tab)',
    '-$4,300',
    '✗ bad -7.0%',
    '▲ Up, good 10.0%',
    '11.7%',
  ]);
  const fills = table.locator('.cell-fill rect:first-child');
  // Eight bars and eight depths of the scale.
  expect(await fills.count()).toBe(16);
  await page.close();
});

it('a link of a table opens a new tab with the encoded value, and does not select its row', async () => {
  const page = await open();
  const opened: string[] = [];
  await page.context().route('https://crm.acme.example/**', async (route) => {
    opened.push(route.request().url());
    const { referer } = await route.request().allHeaders();
    await route.fulfill({ contentType: 'text/html', body: `referer: ${referer}` });
  });
  const row = page.getByRole('row').filter({ hasText: 'Customer 2 & Sons' });
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    row.getByRole('link', { name: /^Customer 2 & Sons/ }).click(),
  ]);
  await tab.waitForLoadState();
  expect(opened).toEqual([
    'https://crm.acme.example/customers/Customer%202%20%26%20Sons?priority=high',
  ]);
  expect(await tab.textContent('body')).toBe('referer: undefined');
  expect(await tab.evaluate('window.opener')).toBeNull();
  expect(await row.getByRole('button').getAttribute('aria-pressed')).toBe('false');
  // A row without a value has no link.
  const blank = page.getByRole('row').filter({ hasText: '(blank)' }).filter({ hasText: '8.0%' });
  expect(await blank.getByRole('link', { name: /blank/ }).count()).toBe(0);
  await page.close();
});

it('the pointer and the focus show what a mark is and what selecting it does', async () => {
  const page = await open();
  const tip = page.getByRole('tooltip');
  await tileOf(page, 'Tickets by priority')
    .locator('.donut-entry')
    .nth(2)
    .hover({ timeout: 5_000 });
  expect(linesOf(await tip.textContent())).toEqual([
    'high: 200 (33.3% of the total)',
    'Select to filter the other tiles',
  ]);
  const table = page.getByRole('table', { name: 'Highlighted accounts' });
  await table.getByRole('cell').first().hover({ timeout: 5_000 });
  const lines = [
    'Customer 1 & Sons, urgent',
    'Profit: $9,000',
    'Margin: 28.0%',
    'Change: -13.3%',
    'Late: 0.0%',
    'Select to filter the other tiles',
  ];
  expect(linesOf(await tip.textContent())).toEqual(lines);
  await page.keyboard.press('Escape');
  await expect.poll(() => tip.count()).toBe(0);
  const button = table.getByRole('button', { name: 'Customer 1 & Sons' });
  await table.getByRole('button', { name: 'Customer', exact: true }).focus();
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  expect(linesOf(await tip.textContent())).toEqual(lines);
  expect(await button.getAttribute('aria-describedby')).toBe('tip');
  await page.getByRole('slider', { name: 'Values of Tickets by priority' }).focus();
  await page.keyboard.press('ArrowRight');
  await page
    .getByText('mid: 120 (20.0% of the total) · Select to filter the other tiles')
    .waitFor();
  await page.close();
});

it('each point of a small line has its number, and its change since the compared year', async () => {
  const page = await open();
  const tile = tileOf(page, 'Total sales');
  const tip = page.getByRole('tooltip');
  const points = tile.locator('.sparkline-point');
  await points.nth(13).hover({ timeout: 5_000 });
  expect(linesOf(await tip.textContent())).toEqual([
    'Feb 2017',
    expect.stringMatching(/^Sales: \$[\d,]+$/),
    expect.stringMatching(/^[+-][\d.]+% vs\. Feb 2016$/),
  ]);
  const slider = tile.getByRole('slider', { name: 'Values of Total sales: use the arrow keys' });
  await slider.focus();
  await page.keyboard.press('End');
  // The last month is not complete, so it has no change.
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Dec 2017 · Sales: \$[\d,]+$/);
  await page.close();
});

it('the first tap on a mark shows its tooltip, and the second one selects it', async () => {
  const page = await open({ width: 390, hasTouch: true });
  const tile = tileOf(page, 'Sales of 50 products');
  const svg = tile.locator('svg.plot');
  const fold = svg.locator('.plot-fold text');
  await fold.scrollIntoViewIfNeeded();
  await fold.tap({ timeout: 5_000 });
  const tip = page.getByRole('tooltip');
  await expect.poll(() => tip.textContent()).toMatch(/26 more\nSelect to show them/);
  expect(await svg.getByText('Product 20').count()).toBe(0);
  await fold.tap({ timeout: 5_000 });
  await svg.getByText('Product 20').waitFor();
  await expect.poll(() => tip.count()).toBe(0);
  await page.close();
});

it.each(['light', 'dark'] as const)(
  'axe finds nothing in highlights and tooltips in %s',
  async (colorScheme) => {
    const page = await open({ colorScheme });
    await tileOf(page, 'Tickets by priority')
      .locator('.donut-entry')
      .first()
      .hover({ timeout: 5_000 });
    await page.getByRole('tooltip').waitFor();
    const found = await findViolations(page);
    // The heads of a pivot's totals are empty below the first level.
    expect(found.filter((each) => !each.startsWith('empty-table-header'))).toEqual([]);
    await page.close();
  },
);

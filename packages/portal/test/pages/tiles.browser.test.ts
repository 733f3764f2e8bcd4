import { expect, it } from 'vitest';

import { findViolations } from '../support/axe.ts';
import { setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();
type Page = Awaited<ReturnType<typeof gallery.open>>['page'];

async function open(options: Partial<Parameters<typeof gallery.open>[0]> = {}) {
  const { page } = await gallery.open({ width: 1440, ...options });
  await page.locator('svg.plot').first().waitFor();
  gallery.stage.requests.length = 0;
  return page;
}

const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openFullView(page: Page, name: string) {
  const tile = tileOf(page, name);
  await tile.getByRole('button', { name: `More: ${name}` }).press('Enter');
  await tile.getByRole('button', { name: 'Full view' }).press('Enter');
  return tile;
}

const pivotTitle = 'Sales and orders by region and quarter';
const bars = 'svg [aria-label="rect"]:not([fill^="url"]) rect';

it('the full view draws all bars, and the page folds them again', async () => {
  const page = await open();
  const tile = await openFullView(page, 'Sales of 50 products');
  await expect.poll(() => tile.locator(bars).count()).toBe(50);
  expect(await tile.getByText('26 more').count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => tile.locator(bars).count()).toBe(24);
  await page.close();
});

it('the full view draws a chart at its height, with more ticks and letters of usual size', async () => {
  const page = await open();
  const name = 'Sales over time';
  const tile = tileOf(page, name);
  const ticks = tile.locator('svg [aria-label="y-axis tick label"] text');
  await ticks.first().waitFor();
  const before = await ticks.count();
  const sizeOf = () => tile.locator('svg.plot').first().boundingBox();
  const letters = () => ticks.first().boundingBox();
  const [small, letter] = [(await sizeOf())!, (await letters())!];
  await openFullView(page, name);
  await expect.poll(async () => (await sizeOf())!.height).toBeGreaterThan(480);
  expect((await sizeOf())!.width).toBeGreaterThan(small.width * 1.3);
  expect(await ticks.count()).toBeGreaterThan(before);
  expect((await letters())!.height).toBeCloseTo(letter.height, 0);
  const isScrolled = await page.evaluate(
    '(() => { const tile = document.querySelector(".tile:popover-open"); return tile.scrollHeight > tile.clientHeight; })()',
  );
  expect(isScrolled).toBe(false);
  await page.close();
});

it('a table in its full view has as many rows as the window has room for', async () => {
  const page = await open();
  const tile = tileOf(page, 'Customers');
  const rows = tile.locator('tbody tr');
  expect(await rows.count()).toBe(10);
  await openFullView(page, 'Customers');
  await expect.poll(() => rows.count()).toBeGreaterThan(12);
  await page.setViewportSize({ width: 1440, height: 500 });
  await expect.poll(() => rows.count()).toBeLessThan(10);
  await page.close();
});

it('the groups of a pivot stand over their columns, each with its subtotal', async () => {
  const page = await open();
  const tile = tileOf(page, pivotTitle);
  const head = tile.locator('thead tr').first().locator('th');
  await expect
    .poll(() => head.allTextContents())
    .toEqual(['Region', 'Segment', '2016', '2017 (incomplete)', 'Total']);
  const [year, first, last] = await page.evaluate<{ left: number; right: number }[]>(`(() => {
    const pivot = document.querySelector('[data-tile="0.9.0"]');
    const names = [...pivot.querySelectorAll('thead tr:last-child th')];
    const year = [...pivot.querySelectorAll('thead th')].find((th) => th.textContent === '2016');
    return [year, names[0], names[5]].map((th) => th.getBoundingClientRect().toJSON());
  })()`);
  expect(year!.left).toBeCloseTo(first!.left, 0);
  expect(year!.right).toBeCloseTo(last!.right, 0);
  const subtotals = tile.locator('tbody tr[data-total="true"]');
  const names = await subtotals.locator('th').allTextContents();
  expect(names).toEqual(['West', 'Total', 'East', 'Total']);
  expect(await subtotals.first().locator('td').last().textContent()).toBe('62');
  await page.close();
});

it('a pivot is sorted by a column with the keyboard, and says so', async () => {
  const page = await open();
  const tile = tileOf(page, pivotTitle);
  const sort = tile.getByRole('columnheader', { name: 'Sales', exact: true });
  await sort.first().getByRole('button').press('Enter');
  await expect
    .poll(() => gallery.stage.requests.at(-1))
    .toMatchObject({
      view: {
        sorts: [
          {
            tile: '0.9.0',
            column: 2,
            descending: true,
            keys: ['2016-01-01', 'Furniture'],
          },
        ],
      },
    });
  expect(await sort.first().getAttribute('aria-sort')).toBe('descending');
  await sort.first().getByRole('button').press('Enter');
  await expect.poll(() => sort.first().getAttribute('aria-sort')).toBe('ascending');
  // The names of the rows sort, too.
  const region = tile.getByRole('columnheader', { name: 'Region', exact: true });
  await region.getByRole('button').click();
  await expect.poll(() => region.getAttribute('aria-sort')).toBe('ascending');
  await page.close();
});

it('the headings of a pivot stay over their numbers, and its names above both, while it scrolls', async () => {
  const page = await open();
  const { names, numbers, onTop } = await page.evaluate<Record<string, unknown>>(`(() => {
    const table = document.querySelector('[data-tile="0.14.1"] table');
    table.parentElement.style.width = '240px';
    table.parentElement.scrollLeft = 150;
    table.scrollIntoView({ block: 'center' });
    const placesOf = ({ cells }) => [...cells].map((cell) => cell.getBoundingClientRect().x);
    return {
      names: placesOf(table.tHead.rows[0]),
      numbers: placesOf(table.tBodies[0].rows[0]),
      onTop: [table.tHead, table.tBodies[0]].map(({ rows: [{ cells: [cell] }] }) => {
        const { left, bottom } = cell.getBoundingClientRect();
        return document.elementFromPoint(left + 12, bottom - 12).closest('th') === cell;
      }),
    };
  })()`);
  expect(names).toEqual(numbers);
  expect(onTop).toEqual([true, true]);
  await page.close();
});

it('the numbers of a row of KPIs stand on one line, and the last of three fills its row', async () => {
  const page = await open({ width: 1024 });
  const measure = `[...document.querySelector('.tiles').children].map((tile) => ({
    line: tile.querySelector('.kpi-value').getBoundingClientRect().y,
    end: tile.getBoundingClientRect().right,
  }))`;
  const lines = (await page.evaluate<{ line: number }[]>(measure)).map(({ line }) => line);
  expect(new Set(lines.map(Math.round)).size).toBe(1);
  await page.evaluate("document.querySelector('.tiles').lastElementChild.remove()");
  await page.setViewportSize({ width: 768, height: 900 });
  const [first, second, third] = await page.evaluate<{ line: number; end: number }[]>(measure);
  expect(Math.round(second!.line)).toBe(Math.round(first!.line));
  expect(third!.end).toBe(second!.end);
  await page.close();
});

it('the numbers of a column have the same number of decimals', async () => {
  const page = await open();
  const cells = await tileOf(page, 'Customers').locator('td.number').allTextContents();
  const margins = cells.filter((text) => text.endsWith('%'));
  expect(margins.length).toBeGreaterThan(5);
  const decimals = margins.map((text) => text.replace('%', '').split('.')[1]?.length ?? 0);
  expect(new Set(decimals).size).toBe(1);
  await page.close();
});

it('a search asks the service, keeps the focus, and can be cleared', async () => {
  const page = await open();
  const tile = tileOf(page, 'Customers');
  const field = tile.getByRole('searchbox', { name: 'Search Customers' });
  expect(await field.getAttribute('placeholder')).toBe('Search');
  await field.fill('kiel');
  await expect
    .poll(() => gallery.stage.requests.at(-1))
    .toMatchObject({ view: { searches: [{ tile: '0.8.0', text: 'kiel' }] } });
  expect(gallery.stage.requests).toHaveLength(1);
  await tile.getByText('793 rows contain “kiel”.').waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('search');
  await field.fill('');
  await expect.poll(() => gallery.stage.requests.length).toBe(2);
  expect(gallery.stage.requests.at(-1)).not.toHaveProperty('view.searches');
  await page.close();
});

it('a long word of a table is broken and pushes no number out of sight', async () => {
  const page = await open({ width: 390 });
  const cut = await page.evaluate<boolean>(`(() => {
    const tile = document.querySelector('[data-tile="0.8.0"]');
    tile.querySelector('tbody th').textContent = 'Donaudampfschifffahrtsgesellschaft'.repeat(4);
    const scroll = tile.querySelector('.table-scroll').getBoundingClientRect();
    return tile.querySelector('tbody .number').getBoundingClientRect().left > scroll.right;
  })()`);
  expect(cut).toBe(false);
  await page.close();
});

/** Replaces the browser's dialog, and notes what is laid out when it would open. */
const watchPrint = `window.print = () => {
  window.printed = {
    theme: document.documentElement.dataset.theme,
    pages: [...document.querySelectorAll('.report-page-name')].map((head) => head.textContent),
    breaks: [...document.querySelectorAll('.report-page')].map((page) => getComputedStyle(page).breakBefore),
    rows: [...document.querySelectorAll('[data-tile="0.8.0"] tbody tr')].length,
    drawings: [...document.querySelectorAll('.report-page')].map((page) => page.querySelectorAll('svg.plot').length),
    awaited: document.querySelectorAll('.drawing-awaited').length,
  };
};`;

it.each(['light', 'dark'] as const)(
  'Ctrl+P prints all pages of a report that is shown in %s mode, in light colors and with all rows',
  async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.evaluate(watchPrint);
    await page.emulateMedia({ media: 'print' });
    await page.keyboard.press('Control+p');
    await expect
      .poll(() => page.evaluate('window.printed?.pages'))
      .toEqual(['Overview', 'Products', 'Customers']);
    const printed = await page.evaluate<Record<string, unknown>>('window.printed');
    expect(printed).toMatchObject({
      theme: 'light',
      breaks: ['auto', 'page', 'page'],
      rows: 60,
      awaited: 0,
    });
    expect(printed['drawings']).toEqual([expect.any(Number), 1, 1]);
    const visible = page.locator(
      '.report-content :is(button:visible:not(.legend-toggle, .mark), input:visible)',
    );
    expect(await visible.allTextContents()).toEqual([]);
    const sheets = await page.pdf();
    expect(sheets.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(5);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await expect.poll(() => page.locator('.report-page-name').count()).toBe(0);
    await page.close();
  },
);

it.each([
  ['light mode', { colorScheme: 'light' }],
  ['dark mode', { colorScheme: 'dark' }],
  ['forced colors', { forcedColors: 'active' }],
  ['right to left', { locale: 'ar-XB' }],
] as const)('a pivot and a search in %s have no violation of axe', async (_name, options) => {
  const page = await open(options);
  await page.locator('[data-tile="0.9.0"] table').waitFor();
  await page.locator('[data-tile="0.8.0"] input').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.close();
});

/** Evaluated in the browser: whether the window shows all of the tooltip. */
const isTipWhole = `(() => {
  const tip = document.querySelector('.tip:popover-open');
  const { left, right, top, bottom } = tip.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight &&
    tip.scrollWidth <= tip.clientWidth;
})()`;

it.each([
  [1440, 'en-US'],
  [1440, 'ar-XB'],
  [320, 'en-US'],
])(
  'at %i pixels in %s, the tooltips of all charts are wholly in the window',
  async (width, locale) => {
    const page = await open({ width, locale });
    const drawings = page.locator('svg.plot');
    const tip = page.getByRole('tooltip');
    for (let index = 0; index < (await drawings.count()); index += 1) {
      const svg = drawings.nth(index);
      await svg.scrollIntoViewIfNeeded();
      const box = (await svg.boundingBox())!;
      for (const share of [0.05, 0.5, 0.95]) {
        const [x, y] = [box.x + box.width * share, box.y + box.height * 0.4];
        await page.mouse.move(x, y);
        await page.mouse.move(x + 1, y);
        // The dots of a scatter chart are not everywhere.
        if ((await svg.getAttribute('data-tip')) === null) continue;
        expect((await tip.textContent())!.split('\n').length).toBeGreaterThan(1);
        expect([index, share, await page.evaluate(isTipWhole)]).toEqual([index, share, true]);
      }
    }
    await page.mouse.move(0, 0);
    await expect.poll(() => tip.count()).toBe(0);
    await page.close();
  },
);

it('a tile in its full view shows the tooltip of its chart', async () => {
  const page = await open();
  const tile = await openFullView(page, 'Sales over time');
  await tile.locator('svg.plot').hover();
  await page.getByRole('tooltip').getByText('Sales: $').waitFor();
  expect(await page.evaluate(isTipWhole)).toBe(true);
  await tile.getByRole('button', { name: 'Show Sales over time as a table' }).press('Enter');
  await expect.poll(() => page.getByRole('tooltip').count()).toBe(0);
  await page.close();
});

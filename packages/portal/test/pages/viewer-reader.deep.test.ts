import path from 'node:path';

import { launchHeadless } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import { ordersDataset, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { isPrintingHandled } from '../support/printing.ts';
import { mint } from '../support/viewer.ts';
import { publish } from '../support/warehouse.ts';

const dataset = `${ordersDataset.replace(
  'roles:',
  `  - name: Orders
    expression: count()
roles:`,
)}hierarchies:
  - name: Products
    fields: [Category, Owner]
`;
const report = `name: Orders
workspace: Sales
dataset: orders
filters:
  - field: Region
  - field: Ordered
  - field: Sales
pages:
  - name: Overview
    rows:
      - tiles:
          - type: kpi
            metric: Sales
          - type: column
            title: By category
            x: Category
            y: Sales
          - type: line
            title: By month
            x: Ordered by month
            y: Sales
            color: Region
      - tiles:
          - type: table
            title: Owners
            dimensions: [Owner]
            metrics: [Sales]
          - type: pivot
            title: Months
            rows: [Region]
            columns: [Ordered by month of year]
            metrics: [Sales]
          - type: scatter
            title: Points
            point: Owner
            x: Sales
            y: Orders
`;

type Browser = Awaited<ReturnType<typeof launchHeadless>>;
type Locator = ReturnType<typeof page.getByRole>;
let browser: Browser;
let portal: TestPortal;
let reportId: string;
let page: Awaited<ReturnType<Browser['newPage']>>;
buildFirst();
beforeAll(async () => {
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': ordersCsv });
  ({ reportId } = await publish(portal, portal.acme, dataset, report));
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});
beforeEach(async () => {
  await openReport({ viewport: { width: 1280, height: 900 } });
  await expectTotal('$70.00');
});
afterEach(() => page.close());

async function openReport(options: Parameters<Browser['newPage']>[0]) {
  const { acme } = portal;
  page = await browser.newPage({ locale: 'en-US', ...options });
  const embed = false;
  await page.goto(await mint(portal, acme, { userEmail: acme.emails.both, reportId, embed }));
  await page.locator('svg.plot').first().waitFor();
}

/** Opens the report again, on a phone. */
async function openOnPhone(options = {}) {
  await page.close();
  await openReport({ viewport: { width: 390, height: 844 }, hasTouch: true, ...options });
}

const expectTotal = (text: string) =>
  expect.poll(() => page.locator('.kpi-value').textContent()).toBe(text);
const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
const choices = (name: string) => page.getByRole('dialog', { name });

it('a reader filters by values, and resets the filters', async () => {
  await button('Region').click();
  await choices('Region').getByRole('checkbox', { name: 'West 2' }).check();
  await expectTotal('$30.00');
  await choices('Region').getByRole('searchbox').fill('EA');
  await expect.poll(() => choices('Region').getByRole('checkbox').count()).toBe(1);
  await choices('Region').getByRole('checkbox', { name: 'East 2' }).check();
  await expectTotal('$70.00');
  await page.keyboard.press('Escape');
  await button('Region: West or East').waitFor();
  await button('Reset').click();
  await button('Region').waitFor();
});

it('a reader filters by dates and numbers with the keyboard alone', async () => {
  await button('Ordered').focus();
  await page.keyboard.press('Enter');
  await choices('Ordered').getByRole('radio', { name: 'this month' }).focus();
  await page.keyboard.press('Space');
  await expectTotal('$25.00');
  await page.keyboard.press('Escape');
  await button('Ordered: this month').waitFor();
  await button('Reset').press('Enter');
  await expectTotal('$70.00');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Region');
  await button('Sales').press('Enter');
  await choices('Sales').getByRole('spinbutton', { name: 'From' }).fill('20');
  await page.keyboard.press('Enter');
  await expectTotal('$45.00');
});

it.each([
  ['Sales', '30', '20', '$20.00'],
  ['Ordered', '2024-03-01', '2024-02-03', '$20.00'],
])(
  'a range of %s that ends before it starts is not applied, and both ends show the error',
  async (field, from, to, total) => {
    await openOnPhone();
    const panel = choices(field);
    const ends = ['From', 'To'].map((name) => panel.getByLabel(name, { exact: true }));
    const apply = panel.getByRole('button', { name: 'Apply' });
    await button(field).tap();
    await ends[0]!.fill(from);
    await ends[1]!.fill(to);
    await apply.tap();
    const error = panel.getByRole('alert');
    expect(await error.textContent()).toBe(
      'The range ends before it starts. Change “From” or “To”.',
    );
    for (const end of ends) {
      expect(await end.getAttribute('aria-invalid')).toBe('true');
      expect(await end.getAttribute('aria-describedby')).toBe(await error.getAttribute('id'));
    }
    await expectTotal('$70.00');
    await ends[0]!.fill(to);
    expect(await error.count()).toBe(0);
    expect(await ends[1]!.getAttribute('aria-invalid')).toBeNull();
    await apply.tap();
    await panel.waitFor({ state: 'hidden' });
    await expectTotal(total);
  },
);

it('a year of more than four digits is refused by the browser', async () => {
  const panel = choices('Ordered');
  await button('Ordered').click();
  const from = panel.getByLabel('From', { exact: true });
  await from.fill('20240-03-01');
  await panel.getByRole('button', { name: 'Apply' }).click();
  expect(await from.evaluate((input) => input.matches(':invalid'))).toBe(true);
  expect(await panel.isVisible()).toBe(true);
  await expectTotal('$70.00');
});

it('the error of a reversed range disappears when the reader chooses a relative date', async () => {
  const panel = choices('Ordered');
  await button('Ordered').click();
  await panel.getByLabel('From', { exact: true }).fill('2024-03-01');
  await panel.getByLabel('To', { exact: true }).fill('2024-02-03');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('alert').waitFor();
  await panel.getByRole('radio', { name: 'this month' }).check();
  await expectTotal('$25.00');
  expect(await panel.getByRole('alert').count()).toBe(0);
});

it('a click on a mark filters the other tiles, and a second click ends it', async () => {
  const chart = page.getByRole('region', { name: 'By category' });
  const clickFirst = async () => {
    const box = (await chart.locator('svg.plot').boundingBox())!;
    const at = [box.x + box.width * 0.35, box.y + box.height * 0.7] as const;
    await page.mouse.move(at[0] - 2, at[1]);
    await page.mouse.move(...at);
    await page.mouse.click(...at);
  };
  await clickFirst();
  await chart.getByText('Selected: Desks').waitFor();
  await expectTotal('$45.00');
  await clickFirst();
  await expectTotal('$70.00');
  expect(await chart.getByText('Selected').count()).toBe(0);
});

it('a second tap on a chart selects the mark, shows its value in the reader’s format, and announces it', async () => {
  await openOnPhone({ locale: 'de' });
  const chart = page.getByRole('region', { name: 'By month' });
  const drawing = chart.locator('svg.plot');
  await drawing.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await drawing.boundingBox())!;
  const tap = () => page.touchscreen.tap(x + width - 20, y + height / 2);
  const text = () => chart.getByRole('status').textContent();
  await tap();
  await page.getByRole('tooltip').getByText('25,00').waitFor();
  expect(await text()).not.toContain('Ausgewählt');
  await tap();
  await expect
    .poll(text)
    .toBe(
      'Ausgewählt: März 2024 (unvollständig) · East: 25,00\u00a0$ (35,7\u00a0% der Gesamtsumme) · West: 0,00\u00a0$ (0,0\u00a0% der Gesamtsumme)',
    );
});

it('a selected mark is named beside the filters, above the numbers that it filters, and cleared there', async () => {
  const chart = page.getByRole('region', { name: 'By category' });
  await chart.getByRole('slider').press('Enter');
  await expectTotal('$45.00');
  const mark = button('Clear Category: Desks');
  expect(await mark.textContent()).toBe('Category: Desks');
  await mark.press('Enter');
  await expectTotal('$70.00');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Region');
  expect(await chart.getByText('Selected').count()).toBe(0);
  expect(await page.getByText('Category: Desks').count()).toBe(0);
});

it('a reader selects a mark and drills down with the keyboard, and goes back', async () => {
  const chart = page.getByRole('region', { name: 'By category' });
  await chart.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await chart.getByText(/^Chairs · /).waitFor();
  await page.keyboard.press('Enter');
  await expectTotal('$25.00');
  await button('Drill down to Owner').press('Enter');
  // The mark still filters the other tiles.
  await expectTotal('$25.00');
  await chart.getByRole('navigation').getByText('Chairs').waitFor();
  await chart.getByRole('slider').focus();
  await chart.getByText(/^east@acme\.example · /).waitFor();
  await chart.getByRole('button', { name: 'All' }).press('Enter');
  await expect.poll(() => chart.getByRole('navigation').count()).toBe(0);
  await expectTotal('$70.00');
});

it('a click on a row, a cell or a point filters the other tiles, and a second click ends it', async () => {
  const [table, pivot, points] = ['Owners', 'Months', 'Points'].map((name) =>
    page.getByRole('region', { name }),
  ) as [Locator, Locator, Locator];
  const row = table.getByRole('cell', { name: '$30.00' });
  await row.click();
  await expectTotal('$30.00');
  await row.click();
  await expectTotal('$70.00');
  const cell = pivot.getByRole('button', { name: '$15.00' });
  await cell.click();
  await pivot.getByText('Selected: East and Jan').waitFor();
  await expectTotal('$15.00');
  await cell.click();
  await expectTotal('$70.00');
  const point = points.locator('svg.plot [aria-label="dot"] circle').first();
  await point.scrollIntoViewIfNeeded();
  const { x, y } = (await point.boundingBox())!;
  const clickPoint = async () => {
    await page.mouse.move(x + 3, y + 3);
    await page.mouse.click(x + 4, y + 4);
  };
  await clickPoint();
  await points.getByText('Selected: west@acme.example').waitFor();
  await expectTotal('$30.00');
  await clickPoint();
  await expectTotal('$70.00');
});

it('the arrow keys go through the marks of a pivot, and Enter selects one', async () => {
  const pivot = page.getByRole('region', { name: 'Months' });
  const focused = () => pivot.locator(':focus').textContent();
  await pivot.getByRole('button', { name: 'East' }).focus();
  for (const [key, text] of [
    ['ArrowRight', '$15.00'],
    ['ArrowRight', '$25.00'],
    ['ArrowUp', 'Mar'],
    ['ArrowLeft', 'Feb'],
    ['ArrowDown', '$20.00'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(text);
  }
  await page.keyboard.press('Enter');
  await expectTotal('$20.00');
  expect(await focused()).toBe('$20.00');
  await page.keyboard.press('Enter');
  await expectTotal('$70.00');
});

it('the names of a pivot stay in place while its columns scroll, and a long title wraps', async () => {
  await openOnPhone({ viewport: { width: 300, height: 844 } });
  const pivot = page.getByRole('region', { name: 'Months' });
  const name = pivot.getByRole('rowheader', { name: 'East' });
  const before = (await name.boundingBox())!.x;
  const scroll = pivot.getByRole('group', { name: 'Months (scrolls sideways)' });
  await scroll.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => scroll.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect((await name.boundingBox())!.x).toBeCloseTo(before, 0);
  const width = () => page.evaluate('document.documentElement.scrollWidth');
  await pivot.getByRole('heading').evaluate((heading) => {
    heading.textContent = 'T'.repeat(180);
  });
  expect(await width()).toBe(300);
});

it('a printed report names the filters of the reader, without the others, and has lines between rows', async () => {
  await button('Region').click();
  await choices('Region').getByRole('checkbox', { name: 'West 2' }).check();
  await button('Region: West').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate('window.print = () => {}');
  await button('Print').click();
  const sheets = () =>
    page.evaluate(`document.adoptedStyleSheets.flatMap(({ cssRules }) =>
      [...cssRules].map(({ cssText }) => cssText)).join()`);
  await expect.poll(sheets).toContain('"Region West"');
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.filter:visible').allInnerTexts()).toEqual(['Region: West']);
  // Chromium prints no line below a sticky cell.
  const position = "getComputedStyle(document.querySelector('tbody th')).position";
  expect(await page.evaluate(position)).toBe('static');
});

it('charts printed from a phone are as wide as the sheet, with complete lines and no tooltip', async () => {
  await openOnPhone();
  await expect.poll(() => isPrintingHandled(page)).toBe(true);
  const chart = page.getByRole('region', { name: 'By month' });
  const tip = page.getByRole('tooltip');
  await chart.locator('svg.plot').scrollIntoViewIfNeeded();
  await chart.locator('svg.plot').hover();
  await tip.waitFor();
  const measure = `(() => {
    const tile = [...document.querySelectorAll('.tile')].find(
      (each) => each.querySelector('h2').textContent === 'By month');
    const svg = tile.querySelector('svg.plot');
    const paths = [...svg.querySelectorAll('[aria-label="line"] path')];
    const { right } = svg.getBoundingClientRect();
    return {
      width: svg.getBoundingClientRect().width,
      room: svg.parentElement.clientWidth,
      inTile: right <= tile.getBoundingClientRect().right,
      points: paths.map((path) => path.getAttribute('d').match(/[ML]/g).length),
      atEnd: right - Math.max(...paths.map((path) => path.getBoundingClientRect().right)),
    };
  })()`;
  interface Drawing {
    width: number;
    room: number;
    inTile: boolean;
    points: number[];
    atEnd: number;
  }
  const onScreen = await page.evaluate<Drawing>(measure);
  // The browser prints as soon as the listeners return.
  const onSheet = await page.evaluate<Drawing>(
    `(dispatchEvent(new Event('beforeprint')), ${measure})`,
  );
  expect(onSheet.width).not.toBeCloseTo(onScreen.width, 0);
  expect(onSheet.width).toBeCloseTo(onSheet.room, 0);
  expect(onSheet).toMatchObject({ inTile: true, points: onScreen.points });
  expect(onSheet.points.length).toBeGreaterThan(0);
  expect(onSheet.atEnd).toBeLessThan(40);
  await page.emulateMedia({ media: 'print' });
  await chart.locator('svg.plot').hover();
  await tip.waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await expect.poll(async () => (await page.evaluate<Drawing>(measure)).width).toBe(onScreen.width);
});

it('a mark that was selected by keyboard is cleared by mouse', async () => {
  const chart = page.getByRole('region', { name: 'By month' });
  await chart.getByRole('slider').focus();
  await page.keyboard.press('Enter');
  const selected = chart.getByText(/^Selected: /);
  await selected.waitFor();
  await chart.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => selected.count()).toBe(0);
});

it('a tile covers the page until Escape or its button', async () => {
  const tile = page.getByRole('region', { name: 'By month' });
  const width = async () => (await tile.boundingBox())!.width;
  const height = async () => (await tile.locator('svg.plot').boundingBox())!.height;
  const [before, usual] = [await width(), await height()];
  const enlarge = async () => {
    await button('More: By month').press('Enter');
    await button('Full view').press('Enter');
    await expect.poll(width).toBe(1280);
    await expect.poll(height).toBeGreaterThan(usual * 1.5);
  };
  await enlarge();
  await page.keyboard.press('Escape');
  await expect.poll(width).toBe(before);
  await expect.poll(height).toBe(usual);
  await enlarge();
  await button('Close the full view of By month').click();
  await expect.poll(width).toBe(before);
});

it('an entry of the legend hides its series, and by keyboard shows it again', async () => {
  const chart = page.getByRole('region', { name: 'By month' });
  const lines = () => chart.locator('svg.plot [aria-label="line"] path').count();
  const drawn = await lines();
  await chart.getByRole('button', { name: 'East' }).click();
  await expect.poll(lines).toBe(drawn / 2);
  await chart.getByRole('button', { name: 'East' }).press('Enter');
  await expect.poll(lines).toBe(drawn);
});

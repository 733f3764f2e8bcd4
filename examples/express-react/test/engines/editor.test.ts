import { startEngine, type Engine, type EnginePage, type Point } from 'test-support/engines';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';

const { env, screen } = inject('demo');
const invitation = /Password link\s+(\S+)/.exec(screen)![1]!;
const admin = `${new URL(invitation).origin}/admin/organizations/${env.ACME_ORGANIZATION_ID}`;
const editor = `${admin}/reports/${env.SALES_REPORT_ID}/edit#/definition`;

let engine: Engine;
let page: EnginePage;
let isSignedIn = false;
beforeAll(async () => {
  engine = await startEngine();
  page = await engine.openPage();
});
afterAll(() => engine.close());

/** The invitation sets the password once. */
async function signIn() {
  await page.open(invitation);
  await page.click('input[type=password]');
  await page.type('a password of three engines');
  await page.press('Enter');
  await expectText().toContain('Organization id');
  isSignedIn = true;
}

/** Opens the report as it is saved. */
async function openEditor() {
  if (!isSignedIn) await signIn();
  await page.open('about:blank');
  await page.open(editor);
  await expect.poll(async () => (await tiles()).length).toBeGreaterThan(5);
}

beforeEach(openEditor);

const expectText = () => expect.poll(() => page.evaluate(() => document.body.innerText));

/** The tiles of the layout, such as `Sales, Number, row 1, tile 1 of 4, 3 of 12 columns`. */
const tiles = () =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('[aria-label="Layout of the page"] button'), (button) =>
      button.getAttribute('aria-label'),
    ).filter((label) => label?.endsWith('columns')),
  ) as Promise<string[]>;

const nameOf = (label: string) => label.split(', ')[0]!;
const expectTiles = () => expect.poll(tiles);

/** Scrolls an element into view and returns a point of it, by default its center. */
async function find(label: string, at: Point = { x: 0.5, y: 0.5 }): Promise<Point> {
  const isFound = (wanted: string) =>
    Array.from(document.querySelectorAll('button')).some(
      (each) => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === wanted,
    );
  await expect.poll(() => page.evaluate(isFound, label), { message: label }).toBe(true);
  const box = await page.evaluate((wanted) => {
    const found = Array.from(document.querySelectorAll('button')).findLast(
      (each) => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === wanted,
    )!;
    found.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = found.getBoundingClientRect();
    return { x, y, width, height };
  }, label);
  return { x: box.x + box.width * at.x, y: box.y + box.height * at.y };
}

async function click(label: string): Promise<void> {
  const { x, y } = await find(label);
  await page.clickAt(x, y);
}

it('a tile is dragged beside another one, and undone by keyboard', async () => {
  const before = await tiles();
  const [first = '', second = ''] = before;
  await find(second);
  await page.drag(await find(first), await find(second, { x: 0.9, y: 0.5 }));
  await expectTiles().not.toEqual(before);
  expect((await tiles()).slice(0, 2).map(nameOf)).toEqual([second, first].map(nameOf));
  await page.press('z', 'Control');
  await expectTiles().toEqual(before);
});

it('a tile is resized by its edge', async () => {
  const before = await tiles();
  await click(before[0]!);
  const edge = await find(before[0]!, { x: 0.99, y: 0.5 });
  await page.drag(edge, { x: edge.x + 70, y: edge.y });
  await expectTiles().not.toEqual(before);
  expect(nameOf((await tiles())[0]!)).toBe(nameOf(before[0]!));
  await click('Undo');
  await expectTiles().toEqual(before);
});

it('a tile is chosen, moved, resized, removed and brought back by keyboard', async () => {
  const before = await tiles();
  const [first = '', second = ''] = before;
  await click(first);
  await page.press('ArrowRight', 'Alt');
  await expectTiles().not.toEqual(before);
  expect((await tiles()).slice(0, 2).map(nameOf)).toEqual([second, first].map(nameOf));
  const moved = await tiles();
  await page.press('ArrowLeft', 'Shift');
  await expectTiles().not.toEqual(moved);
  const resized = await tiles();
  await page.press('Delete');
  await expect.poll(async () => (await tiles()).length).toBe(before.length - 1);
  await page.press('z', 'Control');
  await expectTiles().toEqual(resized);
  await page.press('z', 'Control');
  await page.press('z', 'Control');
  await expectTiles().toEqual(before);
});

it('another type of a tile is chosen from the pictures', async () => {
  const before = await tiles();
  const bars = before.find((label) => / Bars, /.test(label))!;
  await click(bars);
  await click('Change type');
  await click('Donut');
  await expectTiles().toContain(bars.replace(' Bars, ', ' Donut, '));
  await click('Undo');
  await expectTiles().toEqual(before);
});

it('a page is added, and its tab undone', async () => {
  const countTabs = () =>
    page.evaluate(
      () => document.querySelectorAll('[aria-label="Visual editor"] [role=tab]').length,
    );
  await expect.poll(countTabs).toBeGreaterThan(0);
  const before = await countTabs();
  await click('Add page');
  await page.click('[role=dialog] input');
  await page.type('Details');
  await page.press('Enter');
  await expect.poll(countTabs).toBe(before + 1);
  await click('Undo');
  await expect.poll(countTabs).toBe(before);
});

it('a new metric shows its value, and the keys of its form do not change the report', async () => {
  const before = await tiles();
  await click(before.find((label) => / Bars, /.test(label))!);
  await click('New metric');
  await page.click('[role=dialog] input');
  await page.type('Order lines');
  await expectText().toMatch(/Value today\s+9,994/);
  await page.press('z', 'Control');
  await page.press('Delete');
  await page.press('Escape');
  await expectText().not.toContain('Value today');
  await expectTiles().toEqual(before);
});

import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { parseReportFile } from '@portal-embed/report-model';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import {
  expectAccessible,
  expectFits,
  heading,
  openedEditor,
  setUpAdminPages,
  type AdminPage,
} from '../support/admin-pages.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();

const definition = (name: string) => `# The board reads this
name: ${name}
workspace: Sales
dataset: orders
filters:
  - field: Region
pages:
  - name: Overview
    rows:
      # Money
      - tiles:
          - type: kpi # the first number
            metric: Sales
          - type: line
            x: Ordered by month
            y: Sales # in dollars
            width: 8
      - tiles:
          - type: bar
            x: Region
            y: Sales
          # All of them
          - type: table
            dimensions: [Region, Owner]
            metrics: [Sales]
`;
const slugs = ['pointer', 'keyboard', 'pages', 'random', 'two', 'states', 'typed'] as const;
type Slug = (typeof slugs)[number];
let ids: Record<Slug, string>;

beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const reports = slugs.map((slug) => [`reports/${slug}.yaml`, definition(`Report ${slug}`)]);
  const files = { ...ordersFiles, ...Object.fromEntries(reports) };
  const { changes } = await apply(acme.ctx, datasetFolder, { files });
  ids = Object.fromEntries(
    slugs.map((slug) => [slug, changes.find((each) => each.slug === slug)!.id]),
  ) as Record<Slug, string>;
});

/** Opens the editor of a report. The page is high, so that all lines of its text are in the document. */
async function openEditor(slug: Slug, height = 3_000) {
  const { page, home, complaints } = await admin.open(1, `${randomUUID()}@acme.example`, {
    viewport: { width: 1440, height },
  });
  await page.goto(`${home}/reports/${ids[slug]}/edit#/definition`);
  await page.locator('.canvas-tile').first().waitFor();
  return { page, complaints, ...editorOf(page) };
}

function editorOf(page: AdminPage) {
  const editor = page.getByRole('region', { name: 'Visual editor' });
  return {
    editor,
    tile: (name: string | RegExp) => editor.getByRole('group').getByRole('button', { name }),
    button: (name: string) => editor.getByRole('button', { name, exact: true }),
    readText: async () =>
      (await page.locator('.code-editor .cm-line').allTextContents()).join('\n'),
    status: () => editor.locator('.visual-status').textContent(),
    /** The names of the tiles in each row of the canvas. */
    readRows: () =>
      page.evaluate<string[][]>(`[...document.querySelectorAll('.canvas-row')].map((row) =>
        [...row.querySelectorAll('.canvas-tile')].map((tile) => tile.title))`),
  };
}

/** Drags from the middle of an element to the middle of another. */
async function drag(page: AdminPage, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()]);
  const middle = ({ x, y, width, height }: NonNullable<typeof start>) =>
    [x + width / 2, y + height / 2] as const;
  await page.mouse.move(...middle(start!));
  await page.mouse.down();
  await page.mouse.move(middle(start!)[0] + 8, middle(start!)[1] + 8, { steps: 2 });
  await page.mouse.move(...middle(end!), { steps: 4 });
  await page.mouse.up();
}
type Locator = ReturnType<AdminPage['locator']>;

it('by pointer: a tile is clicked in the preview, changed, moved and resized, another is added, and the report is saved', async () => {
  const { page, complaints, editor, tile, button, readText, readRows, status } =
    await openEditor('pointer');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.locator('.tile-line svg').first().waitFor();
  await preview.locator('.tile-line h2').click();
  const form = editor.getByRole('region', { name: 'Tile Sales by month' });
  await form.getByLabel('Title').fill('Revenue');
  await expect.poll(readText).toContain('title: Revenue');
  await preview.getByRole('heading', { name: 'Revenue' }).waitFor();

  await drag(page, tile(/^Revenue/), editor.getByLabel('Add a tile in row 2 at position 2'));
  await expect
    .poll(readRows)
    .toEqual([['Sales'], ['Sales by region', 'Revenue', 'Sales by region and owner']]);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(status).toMatch(/^Revenue is now \d columns wide\.$/);
  await drag(page, tile(/^Revenue/), editor.getByLabel('Add a row at the end'));
  await expect
    .poll(readRows)
    .toEqual([['Sales'], ['Sales by region', 'Sales by region and owner'], ['Revenue']]);
  expect(await status()).toBe('Revenue is now in row 3, tile 1.');

  const edge = editor.locator('.canvas-row').nth(1).locator('.canvas-edge').first();
  const { x, y, height } = (await edge.boundingBox())!;
  const row = (await editor.locator('.canvas-row').nth(1).boundingBox())!;
  await page.mouse.move(x + 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 4 + (2 * row.width) / 12, y + height / 2, { steps: 5 });
  await page.mouse.up();
  expect(await status()).toBe('Sales by region is now 8 columns wide.');
  expect(await page.evaluate('document.activeElement.title')).toBe('Sales by region');

  await button('Add a row at the end').click();
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('.type-picture svg[class*="plot"], .type-picture .drawing svg')
    .first()
    .waitFor();
  await dialog.getByText('Needs two metrics in the dataset').waitFor();
  await dialog.getByRole('button', { name: /^Donut/ }).click();
  await preview.locator('.tile-donut svg').first().waitFor();
  await button('Undo').click();
  await expect.poll(readRows).toHaveLength(3);
  await button('Redo').click();
  await expect.poll(readRows).toHaveLength(4);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText('Saved. Readers see the change when they open or refresh a report.')
    .waitFor();
  const text = await readText();
  for (const comment of ['# The board reads this', '# Money', '# in dollars', '# All of them'])
    expect(text).toContain(comment);
  expect(complaints).toEqual([]);
  await page.close();
});

it('by keyboard alone: a tile is moved, resized, changed and added, a page is added, and the report is saved', async () => {
  const { page, editor, readText, readRows, status } = await openEditor('keyboard');
  const { keyboard } = page;
  /** Presses Tab until the element has the focus. */
  const reach = async (target: Locator) => {
    for (let count = 0; count < 80; count += 1) {
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
      await keyboard.press('Tab');
    }
    const reached = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)');
    throw new Error(`Tab does not reach the element, but ${reached}.`);
  };
  await reach(editor.getByRole('button', { name: /^Sales, Number/ }));
  await keyboard.press('ArrowRight');
  await keyboard.press('Alt+ArrowDown');
  await expect.poll(status).toBe('Sales by month is now in row 2, tile 2.');
  await keyboard.press('Shift+ArrowLeft');
  await expect.poll(status).toBe('Sales by month is now 7 columns wide.');
  await keyboard.press('Control+z');
  await keyboard.press('Control+Shift+z');
  await expect.poll(readText).toContain('width: 7');
  await keyboard.press('ArrowLeft');
  await keyboard.press('Delete');
  await expect.poll(readRows).toEqual([['Sales'], ['Sales by month', 'Sales by region and owner']]);
  const series = editor.getByRole('combobox', { name: 'Series for each' });
  await reach(series);
  await keyboard.type('Own');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect.poll(readText).toContain('color: Owner');

  await reach(editor.getByRole('button', { name: 'Add page' })).catch(async () => {
    await keyboard.press('Control+Home');
    await page.evaluate(`document.activeElement.blur()`);
    await reach(editor.getByRole('button', { name: 'Add page' }));
  });
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await keyboard.type('Details');
  await keyboard.press('Enter');
  await expect.poll(status).toBe('The page Details is added.');
  await reach(editor.getByRole('button', { name: 'Add a row at the end' }));
  await keyboard.press('Enter');
  await reach(page.getByRole('dialog').getByRole('button', { name: /^Bars/ }));
  await keyboard.press('Space');
  await expect.poll(readRows).toEqual([['Sales by region']]);
  await page.evaluate(`document.activeElement.blur()`);
  await reach(page.getByRole('button', { name: 'Save', exact: true }));
  await keyboard.press('Enter');
  await page
    .getByText('Saved. Readers see the change when they open or refresh a report.')
    .waitFor();
  await page.close();
});

it('pages move by dragging and by keyboard, a tile moves to another page, and undo restores the text', async () => {
  const { page, editor, button, tile, readText, readRows, status } = await openEditor('pages');
  const { keyboard } = page;
  const start = await readText();
  const tab = (name: string) => editor.getByRole('tab', { name, exact: true });
  const readPages = () => editor.getByRole('tab').allTextContents();
  for (const name of ['Details', 'Notes']) {
    await button('Add page').click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await keyboard.press('Enter');
    await expect.poll(status).toBe(`The page ${name} is added.`);
  }
  await drag(page, tab('Notes'), tab('Overview'));
  await expect.poll(readPages).toEqual(['Notes', 'Overview', 'Details']);
  expect(await status()).toBe('The page Notes is now page 1.');
  expect(await tab('Notes').getAttribute('aria-selected')).toBe('true');
  await tab('Overview').click();
  await keyboard.press('Alt+ArrowRight');
  await expect.poll(readPages).toEqual(['Notes', 'Details', 'Overview']);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Overview');
  await keyboard.press('ArrowLeft');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Details');
  await tab('Overview').click();

  await tile(/^Sales by month/).click();
  await button('Move to another page').focus();
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Notes' }).focus();
  await keyboard.press('Enter');
  await expect.poll(readRows).toEqual([['Sales by month']]);
  expect(await status()).toBe('Sales by month is now on the page Notes, row 1.');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('heading', { name: 'Sales by month' }).waitFor();
  for (let count = 0; count < 5; count += 1) await button('Undo').click();
  expect(await readText()).toBe(start);
  await page.close();
});

it('after 40 random steps by pointer and keyboard, the canvas shows what the text says, and undo restores the text', async () => {
  const { page, editor, button, readText, readRows } = await openEditor('random');
  const start = await readText();
  const steps = fc.sample(fc.tuple(fc.nat(9), fc.nat(99), fc.nat(99)), {
    numRuns: 40,
    seed: Date.now() % 2 ** 31,
  });
  console.info(JSON.stringify(steps));
  for (const [kind, first, second] of steps) {
    const tiles = await editor.locator('.canvas-tile').all();
    const tile = tiles[first % tiles.length]!;
    const keys = [
      'Alt+ArrowLeft',
      'Alt+ArrowRight',
      'Alt+ArrowUp',
      'Alt+ArrowDown',
      'Shift+ArrowLeft',
      'Shift+ArrowRight',
      'Delete',
    ];
    if (kind < 3) {
      const slots = await editor.locator('.slot').all();
      await drag(page, tile, slots[second % slots.length]!);
    } else if (kind < 6) {
      await tile.click();
      await page.keyboard.press(keys[second % keys.length]!);
    } else if (kind === 6) {
      await tile.click();
      const width = editor.getByLabel('Width');
      await width.fill(String((second % 12) + 1));
    } else if (kind === 7) {
      await tile.click();
      await button('Duplicate').click();
    } else await page.keyboard.press(kind === 8 ? 'Control+z' : 'Control+Shift+z');
    const text = await readText();
    expect([text, parseReportFile(parse(text)).issues]).toEqual([text, []]);
    const { rows } = (parse(text) as { pages: [{ rows: { tiles: object[] }[] }] }).pages[0];
    expect((await readRows()).map((row) => row.length)).toEqual(
      rows.map((row) => row.tiles.length),
    );
    expect(text).toContain('# The board reads this');
  }
  for (let count = 0; count < 60 && (await readText()) !== start; count += 1)
    await button('Undo').click();
  expect(await readText()).toBe(start);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.close();
});

it('of two editors, one in the form and one in the text, the second sees a conflict and nothing is lost', async () => {
  const [inForm, inText] = await Promise.all([openEditor('two'), openEditor('two')]);
  const code = openedEditor(inText.page);
  await code.replaceText('name: Report two', 'name: Of the text');
  await inForm.tile(/^Sales, Number/).click();
  await inForm.editor.getByLabel('Title').fill('Of the form');
  await code.save();
  await heading(inText.page, 'Of the text').waitFor();
  await openedEditor(inForm.page).save();
  await inForm.page.getByText('Somebody else has saved in the meantime').waitFor();
  expect(await inForm.readText()).toContain('title: Of the form');
  await inForm.page.getByRole('button', { name: 'Load the other version' }).click();
  await expect.poll(inForm.readText).toContain('name: Of the text');
  await inForm.tile(/^Sales, Number/).click();
  await inForm.editor.getByLabel('Title').fill('Of the form');
  await openedEditor(inForm.page).save();
  await inForm.page
    .getByText('Saved. Readers see the change when they open or refresh a report.')
    .waitFor();
  expect(await inForm.readText()).toContain('title: Of the form');
  await Promise.all([inForm.page.close(), inText.page.close()]);
});

it('typing in the text changes the form, and a text that cannot be parsed disables it and says why', async () => {
  const { page, editor, tile } = await openEditor('typed');
  const code = openedEditor(page);
  await tile(/^Sales, Number/).click();
  await code.replaceText('metric: Sales', 'metric: Sales\n            title: Typed');
  await expect.poll(() => editor.getByLabel('Title').inputValue()).toBe('Typed');
  await code.replaceText('title: Typed', 'title: "Typed');
  await editor.getByText('The definition cannot be edited visually').waitFor();
  expect(await editor.getByLabel('Title').isDisabled()).toBe(true);
  await code.replaceText('title: "Typed', 'title: Corrected');
  await expect.poll(() => editor.getByLabel('Title').inputValue()).toBe('Corrected');
  await code.replaceText('metric: Sales', 'metric: Sals');
  await editor.getByText(/^unknown metric "Sals"/).waitFor();
  await page.close();
});

describe('each state', () => {
  it('fits at usual widths and has no violation in light and dark', async () => {
    const { page, editor, tile, button } = await openEditor('states', 900);
    const check = async () => {
      await expectAccessible(page);
      await expectFits(page, [390, 1024, 1440, 1920]);
    };
    for (const view of ['Visual', 'YAML', 'Both']) {
      await page.getByText(view, { exact: true }).click();
      await check();
    }
    await tile(/^Sales by region and owner, Table/).click();
    await editor.getByLabel('Highlight of Sales').selectOption('By thresholds');
    await check();
    await button('Change type').click();
    await page.getByRole('dialog').locator('.type-picture .drawing svg').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await button('Page Overview').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Write a name.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await openedEditor(page).replaceText('rows:', 'rows: "');
    await editor.getByText('The definition cannot be edited visually').waitFor();
    await check();
    await page.close();
  });
});

import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { TilesView } from '#viewer/requests';

import type { DefinitionNames } from '../../requests/definitions.ts';
import type { AdminAnswer } from '../../requests/endpoints.ts';
import type { AdminReport } from '../../requests/reports.ts';
import { openAdmin, refuse, type Answers } from '../../test/open-admin.tsx';
// The page loads the editor on demand, which must not count toward the time of the first test.
import '../DefinitionTab.tsx';
import './VisualEditor.tsx';

const names: DefinitionNames = {
  fields: ['Region', 'Ordered', 'Owner'],
  types: ['text', 'date', 'text'],
  metrics: ['Sales', 'Profit'],
  datasets: ['orders'],
  hasTime: true,
};
const text = `# The board reads this
name: Sales
workspace: Retail
dataset: orders
pages:
  - name: Overview
    rows:
      - tiles:
          # Money
          - type: kpi
            metric: Sales
          - type: line
            x: Ordered by month
            y: Sales # in dollars
            width: 8
      - tiles:
          - type: table
            dimensions: [Region]
            metrics: [Sales]
`;
const report = {
  id: 'r1',
  name: 'Sales',
  workspaceName: 'Retail',
  description: null,
  workspaceId: 'w1',
  dataset: { id: 'd1', name: 'Orders' },
  file: 'reports/sales.yaml',
  version: 3,
  savedAt: null,
  canEdit: true,
  product: null,
} as AdminReport;
const view: TilesView = {
  kind: 'tiles',
  report: { id: 'r1', name: 'Sales', description: null, workspaceName: 'Retail' },
  filters: [],
  readerFilters: [],
  filterFields: [],
  unappliedFilters: [],
  unreadableFilters: [],
  rowCount: 1,
  rowAccess: 'everyone',
  roles: [],
  timeZone: 'UTC',
  pages: ['Overview'],
  page: {
    name: 'Overview',
    index: 0,
    rows: [[{ type: 'text', id: '0.0.1', width: 12, title: 'Shown', text: 'Text' }]],
  },
};

const findText = async () =>
  EditorView.findFromDOM(await screen.findByLabelText('Definition (YAML)'))!;
const readText = async () => (await findText()).state.doc.toString();
async function typeText(insert: string) {
  const editor = await findText();
  act(() => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } }));
}
const editor = () => within(screen.getByRole('region', { name: 'Visual editor' }));
const button = (name: string | RegExp) => editor().getByRole('button', { name });
const press = (name: string | RegExp) => fireEvent.click(button(name));
const tileNames = () =>
  [...document.querySelectorAll('.canvas-tile')].map((tile) => tile.getAttribute('title'));
const select = (name: RegExp) => fireEvent.click(button(name));
const status = () => document.querySelector('.visual-status');

// Unsaved texts last as long as the document, which the tests share.
afterEach(() => {
  const discard = screen.queryByRole('button', { name: 'Discard changes' });
  if (discard) fireEvent.click(discard);
});

async function openEditor(answers: Answers = {}) {
  // jsdom has no layout, which the editors measure.
  Object.assign(Range.prototype, { getClientRects: () => [] });
  const page = await openAdmin('/reports/r1/edit#/definition', {
    readReport: report,
    readDefinition: { text, version: 3, names },
    checkDefinition: { mistakes: [], names },
    listDefinitionVersions: { versions: [] },
    findHolders: { holders: [] },
    previewReport: view,
    ...answers,
  });
  await screen.findByRole('region', { name: 'Layout of the page' });
  return page;
}

describe('the form of a tile', () => {
  it('a change of a property is in the text at once, with its comments, and one undo takes it back', async () => {
    await openEditor();
    select(/^Sales by month, Line/);
    const form = within(await screen.findByRole('region', { name: /^Tile/ }));
    fireEvent.change(form.getByLabelText('Title'), { target: { value: 'R' } });
    fireEvent.change(form.getByLabelText('Title'), { target: { value: 'Revenue' } });
    expect(await readText()).toBe(
      text.replace('width: 8\n', 'width: 8\n            title: Revenue\n'),
    );
    press('Undo');
    expect(await readText()).toBe(text);
    press('Redo');
    expect(await readText()).toContain('title: Revenue');
  });

  it('metrics and fields are found by search among those of the dataset', async () => {
    const user = userEvent.setup();
    await openEditor();
    select(/^Sales, Number/);
    const metric = screen.getByRole('combobox', { name: 'Metric' });
    await user.click(metric);
    await user.clear(metric);
    await user.type(metric, 'prof{ArrowDown}{Enter}');
    expect(await readText()).toContain(
      '          # Money\n          - type: kpi\n            metric: Profit',
    );
  });

  it('typing in the text changes the form', async () => {
    await openEditor();
    select(/^Sales, Number/);
    await typeText(text.replace('metric: Sales', 'metric: Profit\n            title: Typed'));
    await waitFor(() => expect(screen.getByLabelText('Title')).toHaveValue('Typed'));
    expect(tileNames()[0]).toBe('Typed');
  });

  it('labels and help come from the schema, and a mistake is at its field', async () => {
    const message = 'Overview, line: unknown metric "Sals"; did you mean "Sales"?';
    await openEditor({
      checkDefinition: ({ text: checked }) => ({
        mistakes: checked.includes('Sals') ? [{ line: 14, column: 16, message }] : [],
        names,
      }),
    });
    select(/^Sales by month/);
    expect(screen.getByText('One small chart for each value.')).toBeVisible();
    await typeText(text.replace('y: Sales #', 'y: Sals #'));
    const field = await screen.findByText('unknown metric "Sals"; did you mean "Sales"?');
    expect(field.closest('.mantine-MultiSelect-root')).toHaveTextContent('Metrics');
  });

  it('a rule for a metric is added and removed', async () => {
    await openEditor();
    select(/^Sales by region, Table/);
    const rule = screen.getByLabelText('Highlight of Sales');
    fireEvent.change(rule, { target: { value: 'thresholds' } });
    expect(await readText()).toContain(
      'conditionalFormat:\n              Sales:\n                type: thresholds',
    );
    fireEvent.change(screen.getByLabelText('Means'), { target: { value: 'warning' } });
    expect(await readText()).toContain('status: warning');
    fireEvent.change(rule, { target: { value: '' } });
    expect(await readText()).toBe(text);
  });

  it('a definition that cannot be parsed disables the form, says why, and continues afterwards', async () => {
    await openEditor();
    select(/^Sales, Number/);
    await typeText(`${text}      - "`);
    expect(await editor().findByText('The definition cannot be edited visually')).toBeVisible();
    expect(editor().getByText(/^Line 20 is not valid YAML/)).toBeVisible();
    expect(screen.getByLabelText('Title')).toBeDisabled();
    await typeText(text);
    await waitFor(() => expect(editor().queryByText(/is not valid YAML/)).toBeNull());
    expect(screen.getByLabelText('Title')).toBeEnabled();
  });

  it('a contributor who may not edit sees the form disabled', async () => {
    await openEditor({ readReport: { ...report, canEdit: false } });
    expect(button(/^Sales, Number/)).toBeDisabled();
  });
});

/** Gives the elements with these labels, and what is around them, places from left to right. */
function layOut(labels: readonly string[]) {
  const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  rect.mockImplementation(function (this: Element) {
    const label = this.querySelector('button')?.getAttribute('aria-label') ?? '';
    return new DOMRect(labels.includes(label) ? labels.indexOf(label) * 100 : 10_000, 0, 10, 10);
  });
  onTestFinished(() => rect.mockRestore());
}

async function drag(tile: HTMLElement, toX: number) {
  const pointer = { isPrimary: true, button: 0, clientY: 5 };
  tile.focus();
  fireEvent.pointerDown(tile, { ...pointer, clientX: 500 });
  // The library adds its handlers and measures between the events.
  const settle = () => act(() => new Promise((resolve) => void setTimeout(resolve, 20)));
  for (const clientX of [450, toX]) {
    fireEvent.pointerMove(document, { ...pointer, clientX });
    await settle();
  }
  fireEvent.pointerUp(document, { ...pointer, clientX: toX });
  await settle();
}

it('the only metric or field that a property needs cannot be removed, and says why', async () => {
  const user = userEvent.setup();
  const pivot = text.replace(
    'type: table\n            dimensions: [Region]',
    'type: pivot\n            rows: [Region]\n            columns: [Owner]',
  );
  await openEditor({ readDefinition: { text: pivot, version: 3, names } });
  select(/Pivot table/);
  const metrics = screen.getByRole('combobox', { name: 'Metrics' });
  const removers = () => metrics.closest('.mantine-MultiSelect-root')!.querySelectorAll('button');
  const reason = /At least one is needed\. Add another one before you remove this one\.$/;
  expect(removers()).toHaveLength(0);
  expect(within(metrics.closest('div')!).getByTitle(reason)).toHaveTextContent('Sales');
  expect(metrics).toHaveAccessibleDescription(reason);
  await user.click(metrics);
  await user.keyboard('Prof{ArrowDown}{Enter}');
  expect(await readText()).toContain('metrics: [Sales, Profit]');
  expect(metrics).not.toHaveAccessibleDescription(reason);
  await user.click(removers()[0]!);
  expect(await readText()).toContain('metrics: [Profit]');
});

describe('the canvas', () => {
  const key = (name: RegExp, init: object) => fireEvent.keyDown(button(name), init);

  it('a tile is moved, resized, duplicated and removed by keyboard, and each step is announced', async () => {
    await openEditor();
    key(/^Sales, Number/, { key: 'ArrowRight', altKey: true });
    expect(tileNames()).toEqual(['Sales by month', 'Sales', 'Sales by region']);
    expect(status()).toHaveTextContent('Sales is now in row 1, tile 2.');
    await waitFor(() => expect(button(/^Sales, Number/)).toHaveFocus());
    key(/^Sales, Number/, { key: 'ArrowDown', altKey: true });
    expect(status()).toHaveTextContent('Sales is now in row 2, tile 2.');
    key(/^Sales, Number/, { key: 'ArrowLeft', shiftKey: true });
    expect(status()).toHaveTextContent('Sales is now 5 columns wide.');
    key(/^Sales, Number/, { key: 'Delete' });
    expect(status()).toHaveTextContent('Sales is removed.');
    expect(tileNames()).toEqual(['Sales by month', 'Sales by region']);
    fireEvent.keyDown(button(/^Sales by region/), { key: 'z', ctrlKey: true });
    expect(tileNames()).toHaveLength(3);
    for (let step = 0; step < 3; step += 1)
      fireEvent.keyDown(button('Undo'), { key: 'z', ctrlKey: true });
    expect(await readText()).toBe(text);
    fireEvent.keyDown(button('Undo'), { key: 'Z', ctrlKey: true, shiftKey: true });
    expect(tileNames()[0]).toBe('Sales by month');
  });

  it('after a drag, keys act on the tile that was dragged', async () => {
    await openEditor();
    select(/^Sales, Number/);
    layOut(['Add a tile in row 1 at position 1', 'Add a row at the end']);
    await drag(button(/^Sales by region, Table/), 5);
    expect(tileNames()).toEqual(['Sales by region', 'Sales', 'Sales by month']);
    await waitFor(() => expect(button(/^Sales by region, Table/)).toHaveFocus());
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight', shiftKey: true });
    expect(status()).toHaveTextContent('Sales by region is now');
    fireEvent.keyDown(document.activeElement!, { key: 'Delete' });
    expect(tileNames()).toEqual(['Sales', 'Sales by month']);
  });

  it('a tile that is dropped where it was is selected, and has the focus', async () => {
    await openEditor();
    select(/^Sales by month/);
    layOut(['Add a tile in row 1 at position 1']);
    await drag(button(/^Sales, Number/), 5);
    expect(tileNames()[0]).toBe('Sales');
    expect(button(/^Sales, Number/)).toHaveAttribute('aria-pressed', 'true');
    expect(button(/^Sales, Number/)).toHaveFocus();
  });

  it('from right to left, a tile moves and is resized to the side that its key or button names', async () => {
    document.documentElement.dir = 'rtl';
    onTestFinished(() => document.documentElement.removeAttribute('dir'));
    await openEditor();
    key(/^Sales, Number/, { key: 'ArrowRight', altKey: true });
    expect(tileNames()[0]).toBe('Sales');
    key(/^Sales, Number/, { key: 'ArrowLeft', altKey: true });
    expect(status()).toHaveTextContent('Sales is now in row 1, tile 2.');
    press('Move to the right');
    expect(status()).toHaveTextContent('Sales is now in row 1, tile 1.');
    key(/^Sales, Number/, { key: 'ArrowRight', shiftKey: true });
    expect(status()).toHaveTextContent('Sales is now 3 columns wide.');
    key(/^Sales, Number/, { key: 'ArrowLeft' });
    expect(button(/^Sales by month/)).toHaveAttribute('aria-pressed', 'true');
  });

  it('a step that is not possible says why', async () => {
    await openEditor();
    select(/^Sales by region/);
    press('Remove');
    press('Remove');
    press('Remove');
    expect(status()).toHaveTextContent('This is the last tile of the page.');
    expect(tileNames()).toHaveLength(1);
  });

  it('a tile that is clicked in the preview is selected', async () => {
    await openEditor();
    fireEvent.click(await screen.findByRole('region', { name: 'Shown' }));
    expect(button(/^Sales by month/)).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('region', { name: 'Tile Sales by month' })).toBeVisible();
  });

  it('a new tile is added between others, with names of the dataset', async () => {
    await openEditor();
    press('Add a tile in row 1 at position 2');
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: /^Bars/ }));
    expect(tileNames()).toEqual(['Sales', 'Sales by region', 'Sales by month', 'Sales by region']);
    expect(status()).toHaveTextContent('Sales by region is added in row 1.');
    expect(button(/^Sales by region, Bars, row 1, tile 2 of 3/)).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  it('another type takes the metrics and fields along, and says what it adds or needs', async () => {
    const { sent } = await openEditor();
    select(/^Sales by month/);
    press('Change type');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: /^Line/ })).toHaveAttribute('aria-pressed', 'true');
    expect(dialog.getByRole('button', { name: /^Scatter/ })).toHaveAccessibleDescription(
      'Adds Profit',
    );
    expect(dialog.getByRole('button', { name: /^Pivot/ })).toHaveAccessibleDescription(
      'Adds Region',
    );
    await waitFor(() => expect(sent('previewReport').at(-1)!['text']).toContain('"pictures"'));
    fireEvent.click(dialog.getByRole('button', { name: /^Donut/ }));
    expect(await readText()).toContain(
      '- type: donut\n            width: 8\n            metric: Sales',
    );
    expect(status()).toHaveTextContent('Sales by month is now: Donut.');
  });
});

it('pages are added, renamed, moved and removed', async () => {
  const user = userEvent.setup();
  await openEditor();
  const tabs = () =>
    editor()
      .getAllByRole('tab')
      .map((tab) => tab.textContent);
  press('Add page');
  await user.type(await screen.findByLabelText('Name'), 'Overview');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Another page has this name. Choose another one.')).toBeVisible();
  await user.clear(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'Details{Enter}');
  expect(tabs()).toEqual(['Overview', 'Details']);
  expect(tileNames()).toEqual(['Add the first tile here.']);
  const choose = async (page: string, item: string) => {
    await user.click(button(`Page ${page}`));
    await user.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
  };
  await choose('Details', 'Move to the left');
  expect(tabs()).toEqual(['Details', 'Overview']);
  await choose('Details', 'Rename');
  await user.clear(await screen.findByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'More{Enter}');
  expect(tabs()).toEqual(['More', 'Overview']);
  await choose('More', 'Remove page');
  expect(tabs()).toEqual(['Overview']);
  await choose('Overview', 'Remove page');
  expect(status()).toHaveTextContent('A report needs at least one page.');
  expect(await readText()).toBe(text);
});

async function addPage(name: string) {
  press('Add page');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: name } });
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
}

it.each([
  'Add a row at the end',
  'Add a tile in row 1 at position 1',
  'Add a tile in row 1 at position 2',
])('the first tile of a new page replaces its text, in one step: %s', async (place) => {
  await openEditor();
  await addPage('Details');
  const added = await readText();
  press(place);
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: /^Bars/ }));
  expect(tileNames()).toEqual(['Sales by region']);
  expect(status()).toHaveTextContent('Sales by region is added in row 1.');
  expect(button(/^Sales by region, Bars, row 1, tile 1 of 1/)).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  press('Undo');
  expect(await readText()).toBe(added);
});

it('a tile that is moved to a new page replaces its text', async () => {
  const user = userEvent.setup();
  await openEditor();
  await addPage('Details');
  await user.click(editor().getByRole('tab', { name: 'Overview' }));
  select(/^Sales, Number/);
  await user.click(button('Move to another page'));
  await user.click(await screen.findByRole('menuitem', { name: 'Details', hidden: true }));
  expect(tileNames()).toEqual(['Sales']);
  expect(status()).toHaveTextContent('Sales is now on the page Details, row 1.');
});

it('a text of a new page that the author has changed stays', async () => {
  await openEditor();
  await addPage('Details');
  select(/^Add the first tile here/);
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mine' } });
  press('Add a row at the end');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: /^Bars/ }));
  expect(tileNames()).toEqual(['Mine', 'Sales by region']);
});

it('undo and redo show the page that they bring back', async () => {
  const user = userEvent.setup();
  await openEditor();
  await addPage('Details');
  const selected = () => editor().getByRole('tab', { selected: true });
  press('Undo');
  expect(selected()).toHaveTextContent('Overview');
  press('Redo');
  expect(selected()).toHaveTextContent('Details');
  await user.click(button('Page Details'));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove page', hidden: true }));
  fireEvent.keyDown(selected(), { key: 'z', ctrlKey: true });
  expect(selected()).toHaveTextContent('Details');
});

it('a metric that is created in the form is saved at once, and the report is not', async () => {
  const dataset = 'name: Orders\nmetrics:\n  - name: Sales\n    expression: sum(Sales)\n';
  const { sent } = await openEditor({
    readDataset: {
      id: 'd1',
      name: 'Orders',
      fields: [],
      metrics: [],
      product: null,
    } as unknown as AdminAnswer<'readDataset'>,
    readDefinition: ({ kind }) =>
      kind === 'datasets' ? { text: dataset, version: 1, names } : { text, version: 3, names },
    tryMetrics: { mistakes: [], metrics: [] } as unknown as AdminAnswer<'tryMetrics'>,
    saveDefinition: { version: 2 },
  });
  select(/^Sales, Number/);
  press('New metric');
  const form = within(await screen.findByRole('form', { name: 'New metric' }));
  fireEvent.change(form.getByLabelText(/^Name/), { target: { value: 'Orders' } });
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText('The metric is saved. Save the report to show it there.'),
  ).toBeVisible();
  expect(screen.queryByText(/^Saved\./)).toBeNull();
  expect(sent('saveDefinition').map(({ kind }) => kind)).toEqual(['datasets']);
  expect(await readText()).toContain('metric: Orders');
});

const twoPages = text.replace(
  'pages:\n',
  `pages:
  - name: Details
    rows:
      - tiles:
          - type: kpi
            metric: Profit
          - type: text
            text: Note
`,
);

it('a tile is moved to another page, selected there, and one undo takes it back', async () => {
  const user = userEvent.setup();
  await openEditor({ readDefinition: { text: twoPages, version: 3, names } });
  select(/^Profit, Number/);
  const menu = button('Move to another page');
  menu.focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: 'Overview', hidden: true }));
  expect(screen.queryByRole('menuitem', { name: 'Details', hidden: true })).toBeNull();
  expect(status()).toHaveTextContent('Profit is now on the page Overview, row 3.');
  expect(tileNames()).toEqual(['Sales', 'Sales by month', 'Sales by region', 'Profit']);
  expect(button(/^Profit, Number, row 3/)).toHaveAttribute('aria-pressed', 'true');
  press('Undo');
  expect(await readText()).toBe(twoPages);
});

it('the last tile of a page stays there, and the editor says why', async () => {
  const user = userEvent.setup();
  await openEditor({
    readDefinition: {
      text: twoPages.replace('          - type: text\n            text: Note\n', ''),
      version: 3,
      names,
    },
  });
  select(/^Profit, Number/);
  await user.click(button('Move to another page'));
  await user.click(await screen.findByRole('menuitem', { name: 'Overview', hidden: true }));
  expect(status()).toHaveTextContent('This is the last tile of the page.');
});

it('Alt with an arrow key moves a page and its focus, and one undo takes it back', async () => {
  await openEditor({ readDefinition: { text: twoPages, version: 3, names } });
  const tabs = () => editor().getAllByRole('tab');
  const listPages = () => tabs().map((tab) => tab.textContent);
  tabs()[0]!.focus();
  fireEvent.keyDown(tabs()[0]!, { key: 'ArrowRight', code: 'ArrowRight', altKey: true });
  expect(listPages()).toEqual(['Overview', 'Details']);
  expect(status()).toHaveTextContent('The page Details is now page 2.');
  await waitFor(() => expect(tabs()[1]).toHaveFocus());
  expect(tabs()[1]).toHaveAttribute('aria-selected', 'true');
  fireEvent.keyDown(tabs()[1]!, { key: 'ArrowRight', code: 'ArrowRight', altKey: true });
  expect(listPages()).toEqual(['Overview', 'Details']);
  press('Undo');
  expect(await readText()).toBe(twoPages);
});

it('from right to left, a page moves to the side that its key or entry names', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  await openEditor({ readDefinition: { text: twoPages, version: 3, names } });
  const tabs = () => editor().getAllByRole('tab');
  tabs()[0]!.focus();
  fireEvent.keyDown(tabs()[0]!, { key: 'ArrowLeft', code: 'ArrowLeft', altKey: true });
  expect(status()).toHaveTextContent('The page Details is now page 2.');
  await userEvent.click(button('Page Details'));
  await userEvent.click(
    await screen.findByRole('menuitem', { name: 'Move to the right', hidden: true }),
  );
  expect(status()).toHaveTextContent('The page Details is now page 1.');
});

it('of two editors, one in the form and one in the text, the second sees a conflict and loses nothing', async () => {
  const { answers, sent } = await openEditor({ saveDefinition: refuse(409, 'stale_version') });
  select(/^Sales, Number/);
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Mine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Somebody else has saved in the meantime')).toBeVisible();
  expect(screen.getByLabelText('Title')).toHaveValue('Mine');
  const theirs = text.replace('metric: Sales\n', 'metric: Profit\n');
  answers.readDefinition = { text: theirs, version: 4, names };
  answers.saveDefinition = { version: 5 };
  fireEvent.click(screen.getByRole('button', { name: 'Load the other version' }));
  await waitFor(() => expect(tileNames()[0]).toBe('Profit'));
  press('Undo');
  expect(tileNames()[0]).toBe('Mine');
  press('Redo');
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Again' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
  ).toBeVisible();
  expect(sent('saveDefinition').map(({ version }) => version)).toEqual([3, 4]);
});

import type {
  ComputedPage,
  Dimension,
  PivotTile,
  ScatterTile,
  TableTile,
} from '@portal-embed/report-model';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createSampleApi, openViewer } from '../../test/open-viewer.tsx';
import { dollars, integer, pageOf, reportSession, salesView } from '../../test/samples.ts';

async function showTile(tile: ComputedPage['rows'][number][number]) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(tile) });
  await openViewer(reportSession, api).start();
  return within(await screen.findByRole('table', { name: tile.title }));
}

const rowsOf = (shown: Awaited<ReturnType<typeof showTile>>) =>
  shown.getAllByRole('row').map((row) => row.textContent);

/** Integers beyond 53 bits, and a smaller one. */
const invoices = ['9007199254740995', '9007199254740993', '10007199254740993', 12];

const table: TableTile = {
  id: '0.0.0',
  type: 'table',
  title: 'Customers',
  width: 12,
  dimensions: [
    { name: 'Customer', kind: 'category' },
    { name: 'Since', kind: 'time', grain: 'year' },
  ],
  metrics: [{ name: 'Sales', format: dollars }],
  groupCount: 4,
  shownCount: 4,
  groups: [
    { keys: ['Customer 2', '2015-01-01'], values: [300] },
    { keys: ['Customer 10', '2014-01-01'], values: [200] },
    { keys: [null, '2016-01-01'], values: [null] },
    { keys: ['Ångström', '2013-01-01'], values: ['1000'] },
  ],
  sort: { column: 0, descending: false },
  pageSize: 25,
};

/** A service that answers each order with the rows reversed. */
function answerSorts(tile: TableTile) {
  const api = createSampleApi();
  let { groups } = tile;
  api.viewReport.mockImplementation(async (_, { view }) => {
    const [sort = tile.sort] = view?.sorts ?? [];
    const answer = { ...salesView, page: pageOf({ ...tile, sort, groups }) };
    groups = groups.toReversed();
    return answer;
  });
  return api;
}

describe('a table', () => {
  it('has a totals row at the bottom and units in its cells', async () => {
    const shown = await showTile({ ...table, totals: [1_500] });
    expect(rowsOf(shown)).toEqual([
      'CustomerSinceSales',
      'Customer 22015$300',
      'Customer 102014$200',
      '(blank)2016–',
      'Ångström2013$1,000',
      'Total$1,500',
    ]);
    const [first] = shown.getAllByRole('row').at(-1)!.children;
    expect(first).toHaveTextContent('Total');
  });

  it('whose rows fit on one page has no pages', async () => {
    await showTile(table);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('says which column it is sorted by', async () => {
    const shown = await showTile(table);
    expect(shown.getByRole('columnheader', { name: 'Customer' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    expect(shown.getByRole('columnheader', { name: 'Sales' })).not.toHaveAttribute('aria-sort');
  });

  it('is sorted by the service, and its header says so', async () => {
    const api = answerSorts(table);
    await openViewer(reportSession, api).start();
    const header = screen.getByRole('columnheader', { name: 'Sales' });
    for (const [order, descending] of [
      ['descending', true],
      ['ascending', false],
    ] as const) {
      await userEvent.click(screen.getByRole('button', { name: 'Sales' }));
      await waitFor(() => expect(header).toHaveAttribute('aria-sort', order));
      expect(api.viewReport.mock.lastCall![1].view!.sorts).toEqual([
        { tile: table.id, column: 2, descending },
      ]);
    }
  });

  it('a second click on a header reverses the order before the rows of the first one arrive', async () => {
    const api = answerSorts(table);
    await openViewer(reportSession, api).start();
    api.viewReport.mockReturnValue(new Promise(() => {}));
    const header = screen.getByRole('columnheader', { name: 'Sales' });
    for (const order of ['descending', 'ascending']) {
      await userEvent.click(screen.getByRole('button', { name: 'Sales' }));
      expect(header).toHaveAttribute('aria-sort', order);
    }
    expect(api.viewReport.mock.lastCall![1].view!.sorts).toEqual([
      { tile: table.id, column: 2, descending: false },
    ]);
  });

  it('keeps its order when another table of the page is sorted', async () => {
    const api = createSampleApi();
    const other = { ...table, id: '0.0.1', title: 'Former customers' };
    api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(table, other) });
    await openViewer(reportSession, api).start();
    const [first, second] = [
      within(screen.getByRole('table', { name: table.title })),
      within(screen.getByRole('table', { name: other.title })),
    ];
    await userEvent.click(first.getByRole('button', { name: 'Sales' }));
    expect(first.getByRole('columnheader', { name: 'Sales' })).toHaveAttribute('aria-sort');
    expect(second.getByRole('columnheader', { name: 'Sales' })).not.toHaveAttribute('aria-sort');
    expect(second.getByRole('columnheader', { name: 'Customer' })).toHaveAttribute('aria-sort');
    await userEvent.click(second.getByRole('button', { name: 'Sales' }));
    expect(api.viewReport.mock.lastCall![1].view!.sorts).toEqual([
      { tile: table.id, column: 2, descending: true },
      { tile: other.id, column: 2, descending: true },
    ]);
  });

  it('has pages, sorting it returns to the first one, and a print has all rows', async () => {
    const groups = Array.from({ length: 7 }, (_, index) => ({
      keys: [`Customer ${index}`, '2017-01-01'],
      values: [index],
    }));
    const { viewer, start } = openViewer(
      reportSession,
      answerSorts({ ...table, groups, pageSize: 3 }),
    );
    await start();
    const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
    const pager = within(screen.getByRole('navigation', { name: 'Rows of Customers' }));
    expect(pager.getByText('1–3 of 7')).toBeVisible();
    expect(pager.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await userEvent.click(pager.getByRole('button', { name: 'Next' }));
    await userEvent.click(pager.getByRole('button', { name: 'Next' }));
    expect(pager.getByText('7–7 of 7')).toBeVisible();
    expect(pager.getByRole('button', { name: 'Next' })).toBeDisabled();
    expect(names()).toEqual(['Customer 6']);
    await userEvent.click(pager.getByRole('button', { name: 'Previous' }));
    expect(pager.getByText('4–6 of 7')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sales' }));
    await waitFor(() => expect(names()).toEqual(['Customer 6', 'Customer 5', 'Customer 4']));
    act(() => viewer.setPrinting(true));
    expect(names()).toHaveLength(7);
  });

  it('whose last page is gone after a refresh shows the page before it', async () => {
    const groups = Array.from({ length: 7 }, (_, index) => ({
      keys: [`Customer ${index}`, '2017-01-01'],
      values: [index],
    }));
    const api = createSampleApi();
    const answer = (count: number) => {
      const tile = { ...table, groups: groups.slice(0, count), pageSize: 3 };
      api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(tile) });
    };
    answer(7);
    const { start, refresh } = openViewer(reportSession, api);
    await start();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    answer(5);
    await refresh();
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual([
      'Customer 3',
      'Customer 4',
    ]);
    expect(screen.getByText('4–5 of 5')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });

  it('says in one sentence which rows of how many are shown', async () => {
    const { viewer, start } = openViewer(
      reportSession,
      answerSorts({ ...table, groupCount: 1_850, pageSize: 2 }),
    );
    await start();
    const pager = within(screen.getByRole('navigation', { name: 'Rows of Customers' }));
    expect(pager.getByText(/^1–2 of the first \d+ of 1,850 rows$/)).toBeVisible();
    expect(screen.queryByText(/rows are shown/)).toBeNull();
    act(() => viewer.setPrinting(true));
    expect(screen.getByText(/of 1,850 rows are shown\.$/)).toBeVisible();
  });

  it('says how many of its rows are shown', async () => {
    const other = { keys: [null, null], values: [9_000], other: 12 };
    const shown = await showTile({ ...table, groupCount: 16, groups: [...table.groups, other] });
    expect(rowsOf(shown).at(-1)).toBe('Other (12)$9,000');
    expect(screen.getByText('4 of 16 rows are shown.')).toBeVisible();
  });
});

it('a table that is wider than its room can be scrolled by keyboard', async () => {
  let resize!: () => void;
  const observed: Element[] = [];
  const observer = vi.spyOn(globalThis, 'ResizeObserver').mockImplementation(function (
    this: ResizeObserver,
    callback: ResizeObserverCallback,
  ) {
    resize = () => callback([], this);
    return {
      observe: (element: Element) => void observed.push(element),
      unobserve() {},
      disconnect() {},
    };
  });
  onTestFinished(() => observer.mockRestore());
  const shown = await showTile(table);
  const place = shown.getAllByRole('row')[0]!.closest('.table-scroll')!;
  expect(place).not.toHaveAttribute('tabindex');
  expect(observed).toEqual([place, place.querySelector('table')]);
  // jsdom has no layout.
  vi.spyOn(place, 'clientWidth', 'get').mockReturnValue(300);
  const scrollWidth = vi.spyOn(place, 'scrollWidth', 'get').mockReturnValue(301);
  act(resize);
  expect(screen.getByRole('group', { name: 'Customers (scrolls sideways)' })).toBe(place);
  expect(place).toHaveAttribute('tabindex', '0');
  scrollWidth.mockReturnValue(300);
  act(resize);
  expect(place).not.toHaveAttribute('role');
});

describe('the table of a chart', () => {
  const scatter: ScatterTile = {
    ...table,
    type: 'scatter',
    dimensions: [
      { role: 'point', dimension: table.dimensions[0]! },
      { role: 'color', dimension: table.dimensions[1]! },
    ],
    metrics: [...table.metrics, { name: 'Orders', format: integer }],
  };
  async function showChartTable(tile: ScatterTile) {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(tile) });
    await openViewer(reportSession, api).start();
    await userEvent.click(screen.getByRole('button', { name: 'Show Customers as a table' }));
    return screen.getByRole('table', { name: tile.title });
  }
  const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);

  it.each([
    ['Sales', 1, ['Ångström', 'Customer 2', 'Customer 10', '(blank)']],
    ['Sales', 2, ['Customer 10', 'Customer 2', 'Ångström', '(blank)']],
    ['Customer', 1, ['Ångström', 'Customer 2', 'Customer 10', '(blank)']],
    ['Since', 1, ['Ångström', 'Customer 10', 'Customer 2', '(blank)']],
  ])('a click on %s, %d times, sorts by it, missing values last', async (name, times, order) => {
    const shown = within(await showChartTable(scatter));
    for (let click = 0; click < times; click++)
      await userEvent.click(shown.getByRole('button', { name }));
    expect(names()).toEqual(order);
  });

  it('rows of the table of a chart with equal values keep their order', async () => {
    const groups = ['B', 'A', 'C'].map((name) => ({ keys: [name, null], values: [1, 1] }));
    const shown = within(await showChartTable({ ...scatter, groups }));
    for (const order of ['descending', 'ascending']) {
      await userEvent.click(shown.getByRole('button', { name: 'Sales' }));
      expect(shown.getByRole('columnheader', { name: 'Sales' })).toHaveAttribute(
        'aria-sort',
        order,
      );
      expect(names()).toEqual(['B', 'A', 'C']);
    }
  });

  it('keeps the rows beyond the limit last', async () => {
    const other = { keys: [null, null], values: [9_000, null], other: 12 };
    const groups = [other, ...scatter.groups];
    const shown = within(await showChartTable({ ...scatter, groupCount: 16, groups }));
    await userEvent.click(shown.getByRole('button', { name: 'Sales' }));
    expect(names().at(-1)).toBe('Other (12)');
  });

  it('has pages of 50 rows', async () => {
    const groups = Array.from({ length: 51 }, (_, index) => ({
      keys: [`Customer ${index}`, '2017-01-01'],
      values: [index, 1],
    }));
    await showChartTable({ ...scatter, groups });
    expect(names()).toHaveLength(50);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(names()).toEqual(['Customer 50']);
    expect(screen.getByText('51–51 of 51')).toBeVisible();
  });

  it('sorts integers beyond 53 bits exactly', async () => {
    const dimension: Dimension = { name: 'Invoice', kind: 'number' };
    const groups = invoices.map((key) => ({ keys: [key], values: [1, 1] }));
    const dimensions: ScatterTile['dimensions'] = [{ role: 'point', dimension }];
    const shown = within(await showChartTable({ ...scatter, dimensions, groups }));
    await userEvent.click(shown.getByRole('button', { name: 'Invoice' }));
    expect(names()).toEqual(['10007199254740993', '9007199254740995', '9007199254740993', '12']);
  });
});

describe('a pivot', () => {
  const pivot: PivotTile = {
    id: '0.0.0',
    type: 'pivot',
    title: 'Sales by region and year',
    width: 12,
    rows: [{ name: 'Region', kind: 'category' }],
    columns: [{ name: 'Year', kind: 'time', grain: 'year' }],
    metrics: [{ name: 'Sales', format: dollars }],
    groupCount: 2,
    shownCount: 2,
    groups: [
      { keys: ['West', '2017-01-01'], values: [3] },
      { keys: ['East', '2016-01-01'], values: [1] },
      { keys: ['East', '2017-01-01'], values: [2] },
    ],
  };

  it('has its years in order, and an empty cell where there is no row', async () => {
    expect(rowsOf(await showTile(pivot))).toEqual(['Region20162017', 'West$3', 'East$1$2']);
  });

  it('has row totals, column totals and a grand total', async () => {
    const totals: PivotTile['totals'] = {
      rows: [
        { keys: ['East'], values: [3] },
        { keys: ['West'], values: [3] },
      ],
      columns: [
        { keys: ['2016-01-01'], values: [1] },
        { keys: ['2017-01-01'], values: [5] },
      ],
      all: [6],
    };
    expect(rowsOf(await showTile({ ...pivot, totals }))).toEqual([
      'Region20162017Total',
      'East$1$2$3',
      'West$3$3',
      'Total$1$5$6',
    ]);
  });

  it('has a level of headers for each dimension, and one for several metrics', async () => {
    const shown = await showTile({
      ...pivot,
      columns: [...pivot.columns, { name: 'Segment', kind: 'category' }],
      metrics: [...pivot.metrics, { name: 'Orders', format: integer }],
      groups: [
        { keys: ['West', '2016-01-01', 'A'], values: [1, 10] },
        { keys: ['West', '2016-01-01', 'B'], values: [2, 20] },
        { keys: ['West', '2017-01-01', 'A'], values: [3, 30] },
      ],
    });
    expect(rowsOf(shown)).toEqual([
      'Region20162017',
      'ABA',
      'SalesOrdersSalesOrdersSalesOrders',
      'West$110$220$330',
    ]);
    expect(shown.getByRole('columnheader', { name: 'Region' })).toHaveAttribute('rowspan', '3');
    expect(shown.getByRole('columnheader', { name: '2016' })).toHaveAttribute('colspan', '4');
    expect(shown.getByRole('columnheader', { name: '2016' })).toHaveAttribute('scope', 'colgroup');
    expect(shown.getAllByRole('columnheader', { name: 'Sales' })[0]).toHaveAttribute(
      'scope',
      'col',
    );
    expect(document.querySelector('.axis-name')).toBeNull();
  });

  it('shows and sorts integers beyond 53 bits exactly', async () => {
    const shown = await showTile({
      ...pivot,
      columns: [{ name: 'Invoice', kind: 'number' }],
      groups: invoices.map((key, index) => ({ keys: ['West', key], values: [index] })),
    });
    expect(rowsOf(shown)).toEqual([
      'Region129007199254740993900719925474099510007199254740993',
      'West$3$1$0$2',
    ]);
  });

  it('of more than 50 rows has pages, and a print has all rows', async () => {
    const api = createSampleApi();
    const groups = Array.from({ length: 51 }, (_, index) => ({
      keys: [`Region ${index}`, '2017-01-01'],
      values: [index],
    }));
    api.viewReport.mockResolvedValue({ ...salesView, page: pageOf({ ...pivot, groups }) });
    const { viewer, start } = openViewer(reportSession, api);
    await start();
    await screen.findByRole('table', { name: pivot.title });
    const names = () => [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent);
    expect(names()).toHaveLength(50);
    const pager = within(screen.getByRole('navigation', { name: `Rows of ${pivot.title}` }));
    await userEvent.click(pager.getByRole('button', { name: 'Next' }));
    expect(pager.getByText('51–51 of 51')).toBeVisible();
    expect(names()).toEqual(['Region 50']);
    act(() => viewer.setPrinting(true));
    expect(names()).toHaveLength(51);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('whose last page is gone after a refresh shows the page before it', async () => {
    const api = createSampleApi();
    const answer = (count: number) => {
      const groups = Array.from({ length: count }, (_, index) => ({
        keys: [`Region ${index}`, '2017-01-01'],
        values: [index],
      }));
      api.viewReport.mockResolvedValue({ ...salesView, page: pageOf({ ...pivot, groups }) });
    };
    answer(51);
    const { start, refresh } = openViewer(reportSession, api);
    await start();
    await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
    answer(1);
    await refresh();
    expect(rowsOf(within(screen.getByRole('table')))).toEqual(['Region2017', 'Region 0$0']);
  });

  it('counts its rows without subtotals, as the note about its limit does', async () => {
    const regions = Array.from({ length: 30 }, (_, index) => `Region ${index}`);
    await showTile({
      ...pivot,
      rows: [...pivot.rows, { name: 'Segment', kind: 'category' }],
      groups: regions.map((name) => ({ keys: [name, 'A', '2017-01-01'], values: [1] })),
      subtotals: [
        {
          rows: 1,
          columns: 1,
          groups: regions.map((name) => ({ keys: [name, '2017-01-01'], values: [1] })),
        },
      ],
      groupCount: 40,
      shownCount: 30,
    });
    expect(screen.getByText('30 of 40 rows are shown.')).toBeVisible();
    const pager = within(screen.getByRole('navigation', { name: `Rows of ${pivot.title}` }));
    expect(pager.getByText('1–25 of 30')).toBeVisible();
    await userEvent.click(pager.getByRole('button', { name: 'Next' }));
    expect(pager.getByText('26–30 of 30')).toBeVisible();
  });

  it('with too many cells to be sorted says so', async () => {
    const shown = await showTile({ ...pivot, isUnsortable: true });
    expect(screen.getByText(/^This table has too many cells to be sorted\./)).toBeVisible();
    expect(shown.queryByRole('button', { name: /^Sort by/ })).toBeNull();
  });

  it('the header of the total row of a pivot spans the columns of all row headers', async () => {
    const shown = await showTile({
      ...pivot,
      rows: [...pivot.rows, { name: 'Segment', kind: 'category' }],
      groups: [{ keys: ['West', 'A', '2017-01-01'], values: [3] }],
      totals: {
        rows: [{ keys: ['West', 'A'], values: [3] }],
        columns: [{ keys: ['2017-01-01'], values: [3] }],
        all: [3],
      },
    });
    expect(shown.getByRole('rowheader', { name: 'Total' })).toHaveAttribute('colspan', '2');
  });

  it('says how many of its rows are shown', async () => {
    await showTile({ ...pivot, groupCount: 5 });
    expect(screen.getByText('2 of 5 rows are shown.')).toBeVisible();
  });

  it('names its metric if there is only one', async () => {
    await showTile(pivot);
    expect(screen.getByText('Sales')).toBeVisible();
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});

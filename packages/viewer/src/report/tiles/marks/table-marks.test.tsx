import type {
  Dimension,
  PivotTile,
  ScatterTile,
  TableTile,
  Tile,
} from '@portal-embed/report-model';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../../../test/open-viewer.tsx';
import { dollars, pageOf, reportSession, salesView } from '../../../test/samples.ts';

beforeEach(resetWindow);

const region: Dimension = { name: 'Region', field: 'Region', kind: 'category' };
const year: Dimension = { name: 'Year', field: 'Ordered', kind: 'time', grain: 'year' };
const month: Dimension = {
  name: 'Month',
  field: 'Ordered',
  kind: 'number',
  grain: 'month of year',
};
const profit: Dimension = { name: 'Profit', kind: 'number' };
const common = { id: '0.0.0', width: 12, groupCount: 2, shownCount: 2 };
const sales = { name: 'Sales', format: dollars };

const groups = [
  { keys: ['West', 3], values: [30] },
  { keys: [null, 12], values: [20] },
];
const table: TableTile = {
  ...common,
  type: 'table',
  title: 'Regions',
  dimensions: [region, month],
  metrics: [sales],
  groups,
  sort: { column: 0, descending: false },
  pageSize: 25,
  totals: [50],
};
const pivot: PivotTile = {
  ...common,
  type: 'pivot',
  title: 'Years',
  rows: [region],
  columns: [year],
  metrics: [sales],
  groups: [
    { keys: ['West', '2016-01-01'], values: [1] },
    { keys: ['East', '2017-01-01'], values: [2] },
  ],
  totals: {
    rows: [
      { keys: ['West'], values: [1] },
      { keys: ['East'], values: [2] },
    ],
    columns: [
      { keys: ['2016-01-01'], values: [1] },
      { keys: ['2017-01-01'], values: [2] },
    ],
    all: [3],
  },
};
const scatter: ScatterTile = {
  ...common,
  type: 'scatter',
  title: 'Points',
  dimensions: [
    { role: 'point', dimension: region },
    { role: 'color', dimension: month },
  ],
  metrics: [sales, { ...sales, name: 'Cost' }],
  groups: groups.map(({ keys }) => ({ keys, values: [1, 2] })),
};

const west = { field: 'Region', values: ['West'], tile: common.id };
const march = { field: 'Ordered', values: [3], grain: 'month of year', tile: common.id };
const year2016 = { field: 'Ordered', values: ['2016-01-01'], grain: 'year', tile: common.id };

async function show(tile: Tile) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(tile) });
  const { viewer, start } = openViewer(reportSession, api);
  await start();
  const shown = within(await screen.findByRole('region', { name: tile.title }));
  return {
    viewer,
    shown,
    filters: () => api.viewReport.mock.lastCall![1].view?.filters ?? [],
    mark: (name: string) => shown.findByRole('button', { name }),
  };
}

describe('a row of a table', () => {
  it('is selected by all its keys, and a second click ends it', async () => {
    const { shown, filters, mark } = await show(table);
    await userEvent.click(await mark('West'));
    await shown.findByText('Selected: West and Mar');
    expect(filters()).toEqual([west, march]);
    expect(await mark('West')).toHaveAttribute('aria-pressed', 'true');
    const isFaint = shown
      .getAllByRole('row')
      .slice(1, 3)
      .map((row) => row.dataset['faint']);
    expect(isFaint).toEqual(['false', 'true']);
    await userEvent.click(shown.getByRole('cell', { name: '$30' }));
    await vi.waitFor(() => expect(filters()).toEqual([]));
    expect(shown.queryByText(/^Selected/)).toBeNull();
  });

  it('a click that ends the selection of text does not select the row', async () => {
    const { shown, filters } = await show(table);
    const cell = await shown.findByRole('cell', { name: '$30' });
    getSelection()!.selectAllChildren(cell);
    fireEvent.click(cell);
    getSelection()!.removeAllRanges();
    expect(filters()).toEqual([]);
    fireEvent.click(cell);
    expect(filters()).toEqual([west, march]);
  });

  it('a press of "Clear" by keyboard moves the focus back to the row that was selected', async () => {
    const { shown, mark } = await show(table);
    // The arrow keys do this, but they need a layout.
    (await mark('West')).tabIndex = -1;
    (await mark('(blank)')).tabIndex = 0;
    await userEvent.click(await mark('(blank)'));
    (await shown.findByRole('button', { name: 'Clear' })).focus();
    await userEvent.keyboard('{Enter}');
    expect(await mark('(blank)')).toHaveFocus();
  });

  it('is selected by its blank key', async () => {
    const { filters, mark } = await show(table);
    await userEvent.click(await mark('(blank)'));
    expect(filters()[0]!.values).toEqual([null]);
  });

  it('is not selected if one of its keys cannot be filtered by', async () => {
    const { shown } = await show({ ...table, dimensions: [region, profit] });
    expect(shown.queryByRole('button', { name: 'West' })).toBeNull();
    expect(shown.getByRole('row', { name: /^West/ })).not.toHaveClass('marked');
  });

  it('is one stop of the Tab key, with the other rows', async () => {
    const { mark } = await show(table);
    expect((await mark('West')).tabIndex).toBe(0);
    expect((await mark('(blank)')).tabIndex).toBe(-1);
  });
});

describe('a pivot', () => {
  it.each([
    ['a row header', 'West', [west]],
    ['a column header', '2016', [year2016]],
    ['a cell', '$1', [west, year2016]],
  ])('a click on %s of a pivot selects its keys', async (_part, name, expected) => {
    const { filters, mark } = await show(pivot);
    await userEvent.click(await mark(name));
    expect(filters()).toEqual(expected);
    await userEvent.click(await mark(name));
    expect(filters()).toEqual([]);
  });

  it('a mark of a pivot that is selected dims the other rows and cells', async () => {
    const { totals: _, ...rest } = pivot;
    const { shown, mark } = await show(rest);
    await userEvent.click(await mark('West'));
    const faintOf = (role: string, name: string) =>
      shown.getByRole(role, { name }).dataset['faint'];
    expect([faintOf('rowheader', 'West'), faintOf('rowheader', 'East')]).toEqual(['false', 'true']);
    expect([faintOf('cell', '$1'), faintOf('cell', '$2')]).toEqual(['false', 'true']);
  });

  it('a mark of a pivot with two periods of one field is selected by both', async () => {
    const { totals: _, ...rest } = pivot;
    const { shown, filters, mark } = await show({
      ...rest,
      columns: [year, month],
      groups: [{ keys: ['West', '2016-01-01', 3], values: [1] }],
    });
    await userEvent.click(await mark('Mar'));
    await shown.findByText('Selected: 2016 and Mar');
    expect(filters()).toEqual([year2016, march]);
    expect(await mark('Mar')).toHaveAttribute('aria-pressed', 'true');
  });

  it.each([
    ['Control', '{Control>}', '{/Control}'],
    ['Meta', '{Meta>}', '{/Meta}'],
    ['Shift', '{Shift>}', '{/Shift}'],
  ])('a click with the %s key adds a cell, and another one removes it', async (_, down, up) => {
    const { filters, mark, shown } = await show(pivot);
    const user = userEvent.setup();
    await user.click(await mark('$1'));
    await user.keyboard(down);
    await user.click(await mark('East'));
    expect(filters()).toEqual([
      { ...west, mark: 0 },
      { ...year2016, mark: 0 },
      { ...west, values: ['East'], mark: 1 },
    ]);
    await shown.findByText('Selected: West, 2016; East');
    await user.click(await mark('East'));
    await user.keyboard(up);
    expect(filters()).toEqual([west, year2016]);
  });

  it('after "Select several", each click adds a mark, and "Clear" ends it', async () => {
    const { filters, mark, shown } = await show(pivot);
    await userEvent.click(await mark('West'));
    const several = await shown.findByRole('button', { name: 'Select several' });
    await userEvent.click(several);
    expect(several).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(await mark('East'));
    expect(filters()).toEqual([{ ...west, values: ['West', 'East'] }]);
    await shown.findByText('Selected: West and East');
    await userEvent.click(shown.getByRole('button', { name: 'Clear' }));
    await userEvent.click(await mark('West'));
    await userEvent.click(await mark('East'));
    expect(filters()).toEqual([{ ...west, values: ['East'] }]);
  });

  it('the marks of a pivot are one stop of the Tab key', async () => {
    const { totals: _, ...rest } = pivot;
    const { shown, mark } = await show({
      ...rest,
      rows: [region, month],
      groups: [
        { keys: ['West', 3, '2016-01-01'], values: [1] },
        { keys: ['East', 12, '2017-01-01'], values: [2] },
      ],
    });
    await mark('West');
    const stops = shown
      .getAllByRole('button', { pressed: false })
      .filter(({ className, tabIndex }) => className === 'mark' && tabIndex === 0);
    expect(stops.map((stop) => stop.textContent)).toEqual(['West']);
  });

  it('has no marks in totals and empty cells, and none in print', async () => {
    const { viewer, shown, mark } = await show(pivot);
    await mark('West');
    const marks = shown.getAllByRole('button', { pressed: false });
    expect(marks.map((one) => one.textContent)).toEqual([
      '2016',
      '2017',
      'West',
      '$1',
      'East',
      '$2',
    ]);
    expect(shown.queryByRole('button', { name: 'Total' })).toBeNull();
    expect(shown.queryByRole('button', { name: '$3' })).toBeNull();
    act(() => viewer.setPrinting(true));
    expect(shown.queryByRole('button', { name: 'West' })).toBeNull();
    expect(shown.getByRole('rowheader', { name: 'West' })).toBeVisible();
  });
});

it('a point of a scatter chart is selected by keyboard, and cleared', async () => {
  const { shown, filters } = await show(scatter);
  (await shown.findByRole('slider')).focus();
  await userEvent.keyboard('{Enter}');
  await shown.findByText('Selected: West (Mar) · Sales: $1 · Cost: $2');
  expect(filters()).toEqual([west, march]);
  await userEvent.keyboard('{Enter}');
  expect(filters()).toEqual([]);
});

it('a row of the table of a chart is selected too', async () => {
  const { shown, filters, mark } = await show(scatter);
  await userEvent.click(shown.getByRole('button', { name: 'Show Points as a table' }));
  await userEvent.click(await mark('West'));
  expect(filters()).toEqual([west, march]);
});

it('a row of the table of a chart that combines keys cannot be selected', async () => {
  const combined = { keys: ['Others', 3], values: [1, 2] };
  const { shown, mark } = await show({
    ...scatter,
    groups: [
      ...scatter.groups,
      { ...combined, other: 3 },
      { ...combined, otherColors: 4 },
      { ...combined, otherFacets: 5 },
    ],
  });
  await userEvent.click(shown.getByRole('button', { name: 'Show Points as a table' }));
  await mark('West');
  const rows = shown.getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).queryAllByRole('button').length)).toEqual([1, 1, 0, 0, 0]);
});

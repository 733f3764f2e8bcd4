import type { ChartTile, ComputedPage, ScatterTile } from '@portal-embed/report-model';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createSampleApi, openViewer } from '../../test/open-viewer.tsx';
import {
  byCategory,
  byMonth,
  decimal,
  dollars,
  integer,
  pageOf,
  reportSession,
  salesView,
  totalSales,
} from '../../test/samples.ts';

async function showTiles(...tiles: ComputedPage['rows'][number]) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(...tiles) });
  const page = openViewer(reportSession, api);
  await page.start();
  return page;
}

const region = (name: string) => within(screen.getByRole('region', { name }));

describe('a KPI tile', () => {
  it.each([
    [dollars, 725_457.82, '$725,458'],
    [dollars, -12.5, '-$13'],
    [integer, 3_000_000, '3,000,000'],
    [decimal, 7.25, '7.3'],
    [decimal, 7, '7.0'],
    [integer, 0, '0'],
    [dollars, null, '–'],
    [integer, '9007199254740993', '9,007,199,254,740,993'],
  ] as const)('a KPI with the format %j shows %s as %s', async (format, value, text) => {
    await showTiles({ ...totalSales, metric: { name: 'Total', format }, value });
    expect(region('Total sales').getByText(text)).toBeVisible();
  });
});

describe('the comparison of a KPI', () => {
  const comparison = {
    label: 'previous year' as const,
    from: '2016-12-01',
    to: '2017-01-01',
    value: 500_000,
  };
  const textOf = () => document.querySelector('.kpi-comparison')!.textContent;

  it.each([
    [600_000, '▲ Up +20.0% (better) vs. $500,000, previous year (Dec 2016)'],
    [400_000, '▼ Down -20.0% (worse) vs. $500,000, previous year (Dec 2016)'],
    [500_000, ' Unchanged 0.0% vs. $500,000, previous year (Dec 2016)'],
    [null, 'No comparison with the previous year (Dec 2016)'],
  ])('of %s has a sign, and its direction in words', async (value, text) => {
    await showTiles({ ...totalSales, value, comparison });
    expect(textOf()).toBe(text);
  });

  it('signs are hidden from screen readers, which get words', async () => {
    await showTiles({ ...totalSales, value: 600_000, comparison });
    expect(screen.getByText('▲')).toHaveAttribute('aria-hidden', 'true');
    expect(screen.getByText('Up')).toHaveClass('visually-hidden');
  });

  it('a comparison names its period, and marks an incomplete one', async () => {
    const period = { from: '2017-12-01', to: '2018-01-01', isIncomplete: true };
    await showTiles({ ...totalSales, comparison, period });
    expect(region('Total sales').getByText('Dec 2017 (incomplete)')).toBeVisible();
  });

  it('a complete period of a KPI has only its name', async () => {
    const period = { from: '2017-12-01', to: '2018-01-01', isIncomplete: false };
    await showTiles({ ...totalSales, period });
    expect(region('Total sales').getByText('Dec 2017')).toBeVisible();
  });
});

describe('a KPI with more than its value', () => {
  it.each([
    [80, 100, '80.0% of target $100'],
    [120, 100, '120.0% of target $100'],
    [80, 0, 'Target $0'],
    [null, 100, 'Target $100'],
    [-5, 100, 'Target $100'],
    [0, 100, '0.0% of target $100'],
  ])('a KPI of %s with the target %s says how they compare', async (value, target, text) => {
    await showTiles({ ...totalSales, value, target: { value: target } });
    expect(region('Total sales').getByText(text)).toBeVisible();
    const bars = document.querySelectorAll('.target-bar');
    expect(bars).toHaveLength(text.includes('%') ? 1 : 0);
  });

  it.each([
    [80, '80'],
    [120, '100'],
    [0, '0'],
  ])('the bar of a KPI of %s with the target 100 has the length %s', async (value, length) => {
    await showTiles({ ...totalSales, value, target: { value: 100 } });
    expect(document.querySelector('.target-bar rect:last-child')).toHaveAttribute('width', length);
  });

  it('a KPI draws and describes its sparkline with gaps, and shows it as a table', async () => {
    const dimension = { name: 'Month', kind: 'time', grain: 'month' } as const;
    const values = [3, 1, null, 2, 5];
    const points = values.map((value, index) => ({ key: `2017-0${index + 1}-01`, value }));
    await showTiles({ ...totalSales, sparkline: { dimension, points } });
    const tile = region('Total sales');
    expect(
      tile.getByText('Sales by Month from Jan 2017 to May 2017: lowest $1, highest $5.'),
    ).toBeInTheDocument();
    const path = document.querySelector('.sparkline-line')!.getAttribute('d')!;
    expect(path.match(/M/g)).toHaveLength(2);
    const places = new Map(
      [...path.matchAll(/[ML](\S+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
    );
    // In a box of 100 by 32: the months from left to right, the highest value at the top.
    expect([...places.keys()]).toEqual([3, 26.5, 73.5, 97]);
    expect([...places.values()]).toEqual([16, 29, 22.5, 3]);
    await userEvent.click(tile.getByRole('button', { name: 'Show Total sales as a table' }));
    expect(tile.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'MonthSales',
      'Jan 2017$3',
      'Feb 2017$1',
      'Mar 2017–',
      'Apr 2017$2',
      'May 2017$5',
    ]);
  });
});

describe('a sparkline', () => {
  const dimension = { name: 'Month', kind: 'time', grain: 'month' } as const;
  it.each<[name: string, (number | null)[], ends: string[], line: string, dot?: string]>([
    [
      'of equal values is in the middle',
      [2, 2],
      ['Jan 2017', 'Feb 2017'],
      'M3.00 16.00L3.00 16.00L97.00 16.00',
      'M97 16h0',
    ],
    ['of one value is a dot', [2], ['Jan 2017'], 'M3.00 16.00L3.00 16.00', 'M3 16h0'],
    [
      'without a last value has no dot at its end',
      [0, 4, null],
      ['Jan 2017', 'Mar 2017'],
      'M3.00 29.00L3.00 29.00L50.00 3.00',
    ],
  ])('%s', async (_name, values, ends, line, dot) => {
    const points = values.map((value, index) => ({ key: `2017-0${index + 1}-01`, value }));
    await showTiles({ ...totalSales, sparkline: { dimension, points } });
    expect(document.querySelector('.sparkline-line')).toHaveAttribute('d', line);
    expect(document.querySelector('.sparkline-end')?.getAttribute('d')).toBe(dot);
    const names = [...document.querySelectorAll('.sparkline-ends span')];
    expect(names.map((name) => name.textContent)).toEqual(ends);
  });

  it('without values is not drawn, and its table can be sorted', async () => {
    const points = ['2017-01-01', '2017-02-01'].map((key) => ({ key, value: null }));
    await showTiles({ ...totalSales, sparkline: { dimension, points } });
    expect(document.querySelector('.sparkline')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show Total sales as a table' }));
    const months = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
    await userEvent.click(screen.getByRole('button', { name: 'Month' }));
    expect(months()).toEqual(['Jan 2017', 'Feb 2017']);
    await userEvent.click(screen.getByRole('button', { name: 'Month' }));
    expect(months()).toEqual(['Feb 2017', 'Jan 2017']);
  });
});

it('the table of a sparkline has pages of twelve rows', async () => {
  const dimension = { name: 'Month', kind: 'time', grain: 'month' } as const;
  const points = Array.from({ length: 13 }, (_, index) => ({
    key: new Date(Date.UTC(2017, index)).toISOString().slice(0, 10),
    value: index,
  }));
  await showTiles({ ...totalSales, sparkline: { dimension, points } });
  await userEvent.click(screen.getByRole('button', { name: 'Show Total sales as a table' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(12);
  expect(screen.getByText('1–12 of 13')).toBeVisible();
});

it('a tile has the width that its report gives it', async () => {
  await showTiles(totalSales, byMonth);
  const widths = screen.getAllByRole('region').map((tile) => tile.dataset['columns']);
  expect(widths).toEqual(['12', '6']);
});

describe('a chart', () => {
  it('has a name, and its highest and lowest values in words', async () => {
    await showTiles(byMonth);
    expect(screen.getByRole('figure', { name: 'Sales by month' })).toHaveTextContent(
      'Line chart of Sales by Month. 3 values. Highest $301 at Nov 2017, lowest $100 at Oct 2017.',
    );
  });

  it('toggles to a table with the same numbers and back', async () => {
    await showTiles(byCategory);
    const toggle = screen.getByRole('button', { name: 'Show Sales by category as a table' });
    await userEvent.click(toggle);
    const rows = within(screen.getByRole('table', { name: 'Sales by category' })).getAllByRole(
      'row',
    );
    expect(rows.map((row) => row.textContent)).toEqual([
      'CategorySales',
      'Technology$251,992',
      'Furniture$252,613',
      '(blank)$12',
    ]);
    expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-pressed', 'false');
    expect(screen.getByRole('figure', { name: 'Sales by category' })).toBeVisible();
  });

  it('a table has headers for its columns and rows', async () => {
    await openViewer(reportSession, createSampleApi(), async () => null).start();
    const table = within(screen.getByRole('table', { name: 'Sales by month' }));
    const namesOf = (role: string) => table.getAllByRole(role).map((cell) => cell.textContent);
    expect(namesOf('columnheader')).toEqual(['Month', 'Sales']);
    expect(namesOf('rowheader')).toEqual(['Oct 2017', 'Nov 2017', 'Dec 2017']);
    expect(namesOf('cell')).toEqual(['$100', '$301', '–']);
    const [, measure] = table.getAllByRole('columnheader');
    for (const cell of [measure, ...table.getAllByRole('cell')]) expect(cell).toHaveClass('number');
  });

  it('is shown as a table if the drawing code fails to load', async () => {
    await openViewer(reportSession, createSampleApi(), async () => null).start();
    expect(screen.getByRole('table', { name: 'Sales by month' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /as a table/ })).toBeNull();
  });
});

describe('the notes of a chart', () => {
  it('the notes say how many of all groups are shown', async () => {
    await showTiles({ ...byCategory, groupCount: 5_000, shownCount: 15 });
    expect(
      region('Sales by category').getByText('15 of 5,000 values of Category are shown.'),
    ).toBeVisible();
  });

  it('the notes and the table mark an incomplete last period', async () => {
    await showTiles({ ...byMonth, incompleteKey: '2017-12-01' });
    expect(
      region('Sales by month').getByText('The last period, Dec 2017, is not complete yet.'),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show Sales by month as a table' }));
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual([
      'Oct 2017',
      'Nov 2017',
      'Dec 2017 (incomplete)',
    ]);
  });

  it('the notes say that the bar of the combined groups is cut off', async () => {
    const groups = [...byCategory.groups, { keys: [null], values: [9e6], other: 4_985 }];
    await showTiles({ ...byCategory, groups });
    expect(
      region('Sales by category').getByText(
        'The bar of Other (4,985) is cut off, because it is much longer than the others.',
      ),
    ).toBeVisible();
  });

  it('the notes say that a line leaves out blank values', async () => {
    const groups = [...byMonth.groups, { keys: [null], values: [5] }];
    await showTiles({ ...byMonth, groups });
    expect(region('Sales by month').getByText('(blank) is shown only in the table.')).toBeVisible();
  });
});

describe('the parts of a chart', () => {
  it('a chart omits an empty description, notes and legend', async () => {
    await showTiles(byMonth, { ...byCategory, description: 'By sales', groupCount: 5_000 });
    const textsOf = (name: string) =>
      [...document.querySelectorAll(name)].map((part) => part.textContent);
    expect(textsOf('.tile-description')).toEqual(['By sales']);
    expect(textsOf('.tile-notes')).toEqual(['3 of 5,000 values of Category are shown.']);
    expect(textsOf('.legend')).toEqual([]);
    expect(textsOf('.panel-name')).toEqual([]);
  });

  it('a chart names its axes, and its series in a legend', async () => {
    const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = ['West', 'East'].map((name) => ({ keys: ['2017-01-01', name], values: [1] }));
    const title = 'Since the opening';
    await showTiles({ ...byMonth, title, dimensions: [...byMonth.dimensions, color], groups });
    const names = [...document.querySelectorAll('.axis-name')].map((name) => name.textContent);
    expect(names).toEqual(['Sales', 'Month']);
    const entries = [...document.querySelectorAll('.legend-entry')].map(
      (entry) => entry.textContent,
    );
    expect(entries).toEqual(['West', 'East']);
  });

  it.each([
    ['line', 'Sales by month', []],
    ['line', 'Sales since 2017', ['Month']],
    ['line', 'Months of the shop', ['Sales', 'Month']],
    ['bar', 'SALES, by Month', []],
    ['bar', 'Sales since 2017', ['Month']],
    ['bar', 'The last month', ['Sales']],
    ['bar', 'The shop', ['Sales by Month']],
  ] as const)('a %s chart with the title "%s" names no axis twice', async (type, title, names) => {
    await showTiles({ ...byMonth, type, title });
    const shown = [...document.querySelectorAll('.axis-name')].map((name) => name.textContent);
    expect(shown).toEqual(names);
  });

  it.each([
    ['bar', ['Share of Sales by Category']],
    ['column', ['Share of Sales']],
  ] as const)(
    'the value axis name of a %s share chart begins with "Share of"',
    async (type, names) => {
      await showTiles({ ...byCategory, type, stack: 'percent' });
      const shown = [...document.querySelectorAll('.axis-name')].map((name) => name.textContent);
      expect(shown).toEqual(names);
    },
  );

  it('an entry of the legend hides its series, and shows it again', async () => {
    const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = ['West', 'East'].flatMap((name) =>
      ['2017-01-01', '2017-02-01'].map((month) => ({ keys: [month, name], values: [1] })),
    );
    await showTiles({ ...byMonth, dimensions: [...byMonth.dimensions, color], groups });
    const [west, east] = ['West', 'East'].map((name) => screen.getByRole('button', { name }));
    const drawn = () =>
      [...document.querySelectorAll('[aria-label="line"]')].map((line) =>
        line.getAttribute('stroke'),
      );
    const both = drawn();
    expect(west).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(west!);
    expect(west).toHaveAttribute('aria-pressed', 'false');
    expect(east).toHaveAttribute('aria-pressed', 'true');
    expect(drawn()).toEqual([both[1]]);
    await userEvent.click(west!);
    expect(drawn()).toEqual(both);
  });

  it('hiding the last series by its entry of the legend shows all series', async () => {
    const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = ['West', 'East'].map((name) => ({ keys: ['2017-01-01', name], values: [1] }));
    await showTiles({ ...byMonth, dimensions: [...byMonth.dimensions, color], groups });
    const entries = ['West', 'East'].map((name) => screen.getByRole('button', { name }));
    await userEvent.click(entries[0]!);
    await userEvent.click(entries[1]!);
    for (const entry of entries) expect(entry).toHaveAttribute('aria-pressed', 'true');
  });

  it('the series in a legend of one series cannot be hidden', async () => {
    const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = [{ keys: ['2017-01-01', 'West'], values: [1] }];
    await showTiles({ ...byMonth, dimensions: [...byMonth.dimensions, color], groups });
    expect(document.querySelector('.legend')).toHaveTextContent('West');
    expect(screen.queryByRole('button', { name: 'West' })).toBeNull();
  });

  it('facets are small charts with their names', async () => {
    const facet = { role: 'facet', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = ['West', 'East'].map((name) => ({ keys: ['2017-01-01', name], values: [1] }));
    await showTiles({ ...byMonth, dimensions: [...byMonth.dimensions, facet], groups });
    const names = [...document.querySelectorAll('.panel-name')].map((name) => name.textContent);
    expect(names).toEqual(['West', 'East']);
    expect(document.querySelectorAll('svg.plot')).toHaveLength(2);
  });

  it('the facet of all values beyond the limit says how many they are', async () => {
    const facet = { role: 'facet', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = [
      { keys: ['2017-01-01', 'West'], values: [2] },
      { keys: ['2017-01-01', null], values: [1], otherFacets: 3 },
    ];
    await showTiles({ ...byMonth, dimensions: [...byMonth.dimensions, facet], groups });
    const names = [...document.querySelectorAll('.panel-name')].map((name) => name.textContent);
    expect(names).toEqual(['West', 'Other (3)']);
  });
});

describe('a donut', () => {
  const donut: ChartTile = {
    ...byCategory,
    type: 'donut',
    dimensions: [{ role: 'color', dimension: { name: 'Category', kind: 'category' } }],
    groups: [
      { keys: ['Technology'], values: [75] },
      { keys: [null], values: [25], other: 3 },
    ],
  };

  it('has the value and the share of each part', async () => {
    await showTiles(donut);
    expect(document.querySelectorAll('.ring circle')).toHaveLength(2);
    const entries = [...document.querySelectorAll('.donut-entry')].map(
      (entry) => entry.textContent,
    );
    expect(entries).toEqual(['Technology$7575.0%', 'Other (3)$2525.0%']);
    expect(screen.queryByText(/^Shares need/)).toBeNull();
  });

  it('part without a value has a dash in place of a number', async () => {
    const groups = [...donut.groups, { keys: ['Furniture'], values: [null] }];
    await showTiles({ ...donut, groups });
    expect(screen.getByText('Furniture').closest('li')!.textContent).toBe('Furniture–0.0%');
  });

  it('a part keeps its color when the parts before it are gone, and a new part gets its own', async () => {
    const partsOf = (...names: string[]): ChartTile => ({
      ...donut,
      groups: names.map((name) => ({ keys: [name], values: [1] })),
    });
    const colorOf = (name: string) =>
      screen.getByText(name).closest('li')!.querySelector('[fill]')!.getAttribute('fill');
    const { api, refresh } = await showTiles(partsOf('Technology', 'Furniture'));
    const before = colorOf('Furniture');
    expect(colorOf('Technology')).not.toBe(before);
    const view = { ...salesView, page: pageOf(partsOf('Furniture', 'Office')) };
    api.viewReport.mockResolvedValue(view);
    await refresh();
    expect(screen.queryByText('Technology')).toBeNull();
    expect(colorOf('Furniture')).toBe(before);
    expect(colorOf('Office')).toBe('var(--series-3)');
  });

  const field = { name: 'Category', field: 'Category', kind: 'category' } as const;
  const circles = (attribute: string) =>
    [...document.querySelectorAll('.ring circle')].map((part) => part.getAttribute(attribute));

  it('a click on a donut part except Other selects it and dims the others; a second click clears it', async () => {
    const groups = [...donut.groups, { keys: ['Furniture'], values: [100] }];
    const dimensions: ChartTile['dimensions'] = [{ role: 'color', dimension: field }];
    const { viewer } = await showTiles({ ...donut, dimensions, groups });
    const click = (index: number) =>
      userEvent.click(document.querySelectorAll('.ring circle')[index]!);
    expect(circles('stroke-opacity')).toEqual(['1', '1', '1']);
    await click(1);
    expect(viewer.getState().readerView.filters).toEqual([]);
    await click(2);
    expect(circles('stroke-opacity')).toEqual(['0.25', '0.25', '1']);
    expect(
      region(donut.title).getByText('Selected: Furniture: $100 (50.0% of the total)'),
    ).toBeVisible();
    await click(2);
    expect(circles('stroke-opacity')).toEqual(['1', '1', '1']);
    act(() => screen.getByRole('slider').focus());
    expect(circles('stroke-width')).toEqual(['22', '18', '18']);
    act(() => screen.getByRole('slider').blur());
    expect(circles('stroke-width')).toEqual(['18', '18', '18']);
  });

  it('whose dimension cannot be filtered by has no marks to select', async () => {
    await showTiles(donut);
    expect(document.querySelector('.ring')).toHaveAttribute('data-selectable', 'false');
    const slider = screen.getByRole('slider', {
      name: `Values of ${donut.title}: use the arrow keys`,
    });
    await userEvent.type(slider, '{Enter}');
    expect(slider).toHaveAttribute('aria-valuetext', 'Technology: $75 (75.0% of the total)');
    expect(document.querySelector('.mark-bar output')).toBeEmptyDOMElement();
  });

  it('the parts of a donut have gaps between them, and zero parts are not drawn', async () => {
    const partsOf = (...values: number[]): ChartTile => ({
      ...donut,
      groups: values.map((value, index) => ({ keys: [`Part ${index}`], values: [value] })),
    });
    const { api, refresh } = await showTiles(partsOf(3, 0, 1));
    expect(circles('stroke-dasharray')).toEqual(['74.4 100', '24.4 100']);
    expect(circles('stroke-dashoffset').map(Number)).toEqual([0, -75]);
    api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(partsOf(3, 0)) });
    await refresh();
    expect(circles('stroke-dasharray')).toEqual(['100 100']);
  });

  it('says how many values it shows, and the other values have a color of their own', async () => {
    const blank = { keys: [null], values: [10] };
    const groups = [donut.groups[0]!, blank, donut.groups[1]!];
    await showTiles({ ...donut, groups, groupCount: 40, shownCount: 2 });
    expect(screen.getByText('2 of 40 values of Category are shown.')).toBeVisible();
    const colors = [...document.querySelectorAll('.donut-entry [fill]')].map((swatch) =>
      swatch.getAttribute('fill'),
    );
    expect(colors).toEqual(['var(--series-1)', 'var(--series-2)', 'var(--series-rest)']);
    expect(circles('stroke')).toEqual(colors);
  });

  it('without parts has no note on their values', async () => {
    await showTiles({ ...donut, groups: [], groupCount: 0, shownCount: 0 });
    expect(document.querySelector('.ring')).toBeNull();
    expect(document.querySelector('.tile-notes')).toBeNull();
  });

  it('has a name, and its highest and lowest values in words', async () => {
    await showTiles(donut);
    expect(screen.getByRole('figure', { name: donut.title })).toHaveTextContent(
      /Highest \$75 at Technology, lowest \$25 at Other \(3\)\.$/,
    );
  });

  it('that the reader has drilled leads back to its levels', async () => {
    await showTiles({ ...donut, drill: { path: [{ dimension: field, key: 'Technology' }] } });
    const levels = screen.getByRole('navigation', { name: `Levels of ${donut.title}` });
    expect(levels).toHaveTextContent(/^AllTechnology$/);
  });

  it('toggles to a table', async () => {
    await showTiles(donut);
    await userEvent.click(
      screen.getByRole('button', { name: 'Show Sales by category as a table' }),
    );
    expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'CategorySales',
      'Technology$75',
      'Other (3)$25',
    ]);
    expect(document.querySelector('.donut')).toBeNull();
  });

  it.each([
    ['a negative value', [...donut.groups, { keys: ['Returns'], values: [-5] }]],
    ['only a zero', [{ keys: ['Returns'], values: [0] }]],
  ])('with %s has no ring and shows the reason', async (_name, groups) => {
    await showTiles({ ...donut, groups });
    expect(document.querySelector('.ring')).toBeNull();
    expect(document.querySelector('.donut-share')).toBeNull();
    expect(screen.getByText('Shares need positive values, so no donut is drawn.')).toBeVisible();
  });
});

describe('a scatter chart', () => {
  const scatter: ScatterTile = {
    id: '0.0.0',
    type: 'scatter',
    title: 'States',
    width: 12,
    dimensions: [{ role: 'point', dimension: { name: 'State', kind: 'category' } }],
    metrics: [
      { name: 'Sales', format: dollars },
      { name: 'Profit', format: dollars },
      { name: 'Orders', format: integer },
    ],
    groupCount: 50,
    shownCount: 2,
    groups: [
      { keys: ['Texas'], values: [10, 5, 3] },
      { keys: ['Ohio'], values: [20, null, 1] },
    ],
  };

  it('draws a dot for each point and says how many are not drawn', async () => {
    await showTiles(scatter);
    expect(document.querySelectorAll('[aria-label="dot"] circle')).toHaveLength(1);
    expect(
      region('States').getByText(
        '2 of 50 values of State are shown. The size of a dot shows Orders. Points without a value, which are not drawn: 1.',
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show States as a table' }));
    expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'StateSalesProfitOrders',
      'Texas$10$53',
      'Ohio$20–1',
    ]);
  });

  it('has the name of its vertical axis above, and that of its horizontal axis below', async () => {
    await showTiles(scatter);
    const names = [...document.querySelectorAll('.axis-name')];
    expect(names.map((name) => name.textContent)).toEqual(['Profit', 'Sales']);
  });

  it('draws its smallest dots if no point has a size', async () => {
    const groups = [0, null].map((size, index) => ({
      keys: [`State ${index}`],
      values: [10 + index, 5, size],
    }));
    await showTiles({ ...scatter, groups });
    const dots = [...document.querySelectorAll('[aria-label="dot"] circle')];
    expect(dots.map((dot) => dot.getAttribute('r'))).toEqual(['2.5', '2.5']);
    expect(region('States').queryByText(/not drawn/)).toBeNull();
  });
});

describe('the marks of a chart', () => {
  const groups = [...byCategory.groups, { keys: [null], values: [9], other: 3 }];
  const chart: ChartTile = {
    ...byCategory,
    dimensions: [
      { role: 'x', dimension: { name: 'Category', field: 'Category', kind: 'category' } },
    ],
    groups,
  };
  const moveTo = (value: string) => {
    act(() => screen.getByRole('slider').focus());
    fireEvent.change(screen.getByRole('slider'), { target: { value } });
  };

  it('the mark of the other values cannot be selected', async () => {
    const { viewer } = await showTiles(chart);
    moveTo('3');
    expect(screen.getByRole('slider')).toHaveAttribute(
      'aria-valuetext',
      expect.stringContaining('Other (3)'),
    );
    await userEvent.keyboard('{Enter}');
    expect(viewer.getState().readerView.filters).toEqual([]);
  });

  it('a click on a mark selects it, and the drawing shows the selection', async () => {
    const { viewer } = await showTiles(chart);
    const svg = document.querySelector('svg.plot')!;
    const before = svg.outerHTML;
    // Plot stores the datum at the pointer in `value`.
    fireEvent.click(Object.assign(svg, { value: { place: 1 } }));
    expect(viewer.getState().readerView.filters).toEqual([
      { field: 'Category', values: ['Furniture'], tile: chart.id },
    ]);
    expect(document.querySelector('svg.plot')!.outerHTML).not.toBe(before);
  });

  it('a click on a mark selects nothing if the dimension cannot be filtered by', async () => {
    const { viewer } = await showTiles(byCategory);
    const svg = document.querySelector('svg.plot')!;
    expect(svg.closest('[data-selectable]')).toHaveAttribute('data-selectable', 'false');
    fireEvent.click(Object.assign(svg, { value: { place: 1 } }));
    expect(viewer.getState().readerView.filters).toEqual([]);
  });

  it('after a refresh with fewer marks, the slider of a chart moves to the last mark', async () => {
    const { api, refresh } = await showTiles(chart);
    moveTo('2');
    const page = pageOf({ ...chart, groups: groups.slice(0, 1) });
    api.viewReport.mockResolvedValue({ ...salesView, page });
    await refresh();
    expect(screen.getByRole('slider')).toHaveAttribute(
      'aria-valuetext',
      expect.stringContaining('Technology'),
    );
  });
});

it('a text without a title has no header', async () => {
  await showTiles({ id: '0.0.0', type: 'text', title: '', width: 12, text: 'About this page' });
  await screen.findByText('About this page');
  expect(document.querySelector('.tile-header')).toBeNull();
});

it('the Markdown of a text is rendered', async () => {
  await showTiles({ id: '0.0.0', type: 'text', title: 'Notes', width: 12, text: '**About** us' });
  expect(await region('Notes').findByText('About', { selector: 'strong' })).toBeVisible();
});

it('a text is shown as it is written if the code of Markdown cannot be loaded', async () => {
  vi.doMock('../../markdown/render-markdown.tsx', () => Promise.reject(new Error('not found')));
  onTestFinished(() => vi.doUnmock('../../markdown/render-markdown.tsx'));
  await showTiles({ id: '0.0.0', type: 'text', title: 'Notes', width: 12, text: '**About** us' });
  expect(region('Notes').getByText('**About** us')).toBeVisible();
});

it('a text and a failed tile have no menu, because they have no rows', async () => {
  const { id, type, title, width } = byMonth;
  const failure = { code: 'too_many_marks', limit: 10_000 } as const;
  const text = { id: '0.0.1', type: 'text', title: 'Notes', width: 12, text: 'About' } as const;
  await showTiles({ id, type, title, width, failure }, text, totalSales);
  const names = screen.getAllByLabelText(/^More: /).map((menu) => menu.getAttribute('aria-label'));
  expect(names).toEqual(['More: Total sales']);
});

describe('a tile that failed', () => {
  it('a failed tile shows the reason, and the other tiles are shown', async () => {
    const { id, type, title, width } = byMonth;
    await showTiles(
      { id, type, title, width, failure: { code: 'too_many_marks', limit: 10_000 } },
      totalSales,
    );
    expect(
      region('Sales by month').getByText(/^This tile has more than 10,000 marks/),
    ).toBeVisible();
    expect(screen.getByText('$725,458')).toBeVisible();
  });

  it('a tile that cannot be drawn does not remove the others', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    await showTiles({ ...byMonth, dimensions: [] }, totalSales);
    expect(region('Sales by month').getByText(/^This tile could not be drawn/)).toBeVisible();
    expect(screen.getByText('$725,458')).toBeVisible();
    vi.restoreAllMocks();
  });

  it('a tile that cannot be drawn is drawn again with new data', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const points = [{ key: '2017', value: 1 }];
    const page = await showTiles({ ...totalSales, sparkline: { dimension: undefined!, points } });
    expect(region('Total sales').getByText(/^This tile could not be drawn/)).toBeVisible();
    page.api.viewReport.mockResolvedValue({ ...salesView, page: pageOf(totalSales) });
    await page.refresh();
    expect(region('Total sales').getByText('$725,458')).toBeVisible();
    vi.restoreAllMocks();
  });
});

import type { PivotTile } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { formats } from '../../test/formats.ts';
import { dollars } from '../../test/samples.ts';
import { layOutPivot } from './pivot-table.ts';

it('time and number columns of a pivot ascend, and categories keep their order', () => {
  const namesOf = (second: PivotTile['columns'][number], ...keys: [string, string | number][]) =>
    layOutPivot(
      {
        id: '0.0.0',
        type: 'pivot',
        title: 'Sales',
        width: 12,
        rows: [{ name: 'Region', kind: 'category' }],
        columns: [{ name: 'Year', kind: 'time', grain: 'year' }, second],
        metrics: [{ name: 'Sales', format: dollars }],
        groupCount: 1,
        shownCount: 1,
        groups: keys.map((column) => ({ keys: ['West', ...column], values: [1] })),
      },
      formats,
    ).levels.map(({ spans }) => spans.map(({ text }) => text));
  expect(
    namesOf(
      { name: 'Size', kind: 'number' },
      ['2017-01-01', 10],
      ['2017-01-01', 9],
      ['2016-01-01', 2],
    ),
  ).toEqual([
    ['2016', '2017'],
    ['2', '9', '10'],
  ]);
  expect(
    namesOf({ name: 'Segment', kind: 'category' }, ['2017-01-01', 'B'], ['2017-01-01', 'A']),
  ).toEqual([['2017'], ['B', 'A']]);
});

it('the heading of a column filters by its own level and those above', () => {
  const { levels } = layOutPivot(
    {
      id: '0.0.0',
      type: 'pivot',
      title: 'Sales',
      width: 12,
      rows: [{ name: 'Region', field: 'Region', kind: 'category' }],
      columns: [
        { name: 'Year', field: 'Ordered', kind: 'time', grain: 'year' },
        { name: 'Segment', field: 'Segment', kind: 'category' },
      ],
      metrics: [{ name: 'Sales', format: dollars }],
      groupCount: 1,
      shownCount: 1,
      groups: [{ keys: ['West', '2017-01-01', 'Consumer'], values: [1] }],
    },
    formats,
  );
  const fieldsOf = (level: number) => levels[level]!.spans[0]!.filters.map(({ field }) => field);
  expect(fieldsOf(0)).toEqual(['Ordered']);
  expect(fieldsOf(1)).toEqual(['Ordered', 'Segment']);
});

const bySegment: PivotTile = {
  id: '0.0.0',
  type: 'pivot',
  title: 'Sales',
  width: 12,
  rows: [{ name: 'When', kind: 'time' }],
  columns: [{ name: 'Segment', kind: 'category' }],
  metrics: [
    { name: 'Sales', format: dollars },
    { name: 'Orders', format: dollars },
  ],
  groupCount: 2,
  shownCount: 2,
  groups: ['2017-01-01', '2017-02-01'].map((when) => ({ keys: [when, 'A'], values: [1, 2] })),
};

it('times of a pivot without a grain have the coarsest format that fits all of them', () => {
  const { rows } = layOutPivot(bySegment, formats);
  expect(rows.map(({ names }) => names[0]!.text)).toEqual(['Jan 2017', 'Feb 2017']);
});

it('several metrics of a pivot are named below each column and below the totals', () => {
  const { levels } = layOutPivot(
    {
      ...bySegment,
      totals: {
        rows: bySegment.groups.map(({ keys, values }) => ({ keys: keys.slice(0, 1), values })),
        columns: [{ keys: ['A'], values: [2, 4] }],
        all: [2, 4],
      },
    },
    formats,
  );
  expect(levels.map(({ spans }) => spans.map(({ text }) => text))).toEqual([
    ['A', 'Total'],
    ['Sales', 'Orders', 'Sales', 'Orders'],
  ]);
});

const grouped: PivotTile = {
  ...bySegment,
  rows: [
    { name: 'Region', field: 'Region', kind: 'category' },
    { name: 'City', field: 'City', kind: 'category' },
  ],
  columns: [
    { name: 'Year', field: 'Ordered', kind: 'time', grain: 'year' },
    { name: 'Segment', field: 'Segment', kind: 'category' },
  ],
  metrics: [{ name: 'Customers', format: { style: 'decimal', notation: 'standard' } }],
  groups: [
    { keys: ['West', 'Kiel', '2017-01-01', 'A'], values: [2] },
    { keys: ['West', 'Ulm', '2017-01-01', 'B'], values: [1.5] },
  ],
  totals: {
    rows: [
      { keys: ['West', 'Kiel'], values: [2] },
      { keys: ['West', 'Ulm'], values: [1.5] },
    ],
    columns: [
      { keys: ['2017-01-01', 'A'], values: [2] },
      { keys: ['2017-01-01', 'B'], values: [1.5] },
    ],
    all: [1.75],
  },
  subtotals: [
    { rows: 0, columns: 1, groups: [{ keys: ['2017-01-01'], values: [1.75] }] },
    { rows: 1, columns: 0, groups: [{ keys: ['West'], values: [1.75] }] },
    { rows: 1, columns: 1, groups: [{ keys: ['West', '2017-01-01'], values: [1.75] }] },
    {
      rows: 1,
      columns: 2,
      groups: [
        { keys: ['West', '2017-01-01', 'A'], values: [2] },
        { keys: ['West', '2017-01-01', 'B'], values: [1.5] },
      ],
    },
    {
      rows: 2,
      columns: 1,
      groups: [
        { keys: ['West', 'Kiel', '2017-01-01'], values: [2] },
        { keys: ['West', 'Ulm', '2017-01-01'], values: [1.5] },
      ],
    },
  ],
  incompleteKeys: [{ dimension: 2, key: '2017-01-01' }],
};

it('subtotals follow their groups, and their heads span the levels that they combine', () => {
  const { levels, rows, totals, totalColumns } = layOutPivot(grouped, formats);
  expect(
    levels.map(({ spans }) => spans.map(({ text, span, depth }) => [text, span, depth])),
  ).toEqual([
    [
      ['2017 (incomplete)', 3, 1],
      ['Total', 1, 2],
    ],
    [
      ['A', 1, 1],
      ['B', 1, 1],
      ['Total', 1, 1],
    ],
  ]);
  expect(totalColumns).toEqual(new Set([2, 3]));
  const textsOf = (cells: readonly { text: string }[]) => cells.map(({ text }) => text);
  expect(rows.map(({ names, cells }) => textsOf(names).concat(textsOf(cells)))).toEqual([
    ['West', 'Kiel', '2.00', '', '2.00', '2.00'],
    ['West', 'Ulm', '', '1.50', '1.50', '1.50'],
    ['West', 'Total', '2.00', '1.50', '1.75', '1.75'],
  ]);
  expect(textsOf(totals!)).toEqual(['2.00', '1.50', '1.75', '1.75']);
});

it('each column of values sorts by its keys', () => {
  const { levels } = layOutPivot(grouped, formats);
  expect(levels.flatMap(({ spans }) => spans.flatMap(({ sort }) => (sort ? [sort] : [])))).toEqual([
    { column: 2, keys: [], label: 'Total' },
    { column: 2, keys: ['2017-01-01', 'A'], label: '2017 (incomplete), A' },
    { column: 2, keys: ['2017-01-01', 'B'], label: '2017 (incomplete), B' },
    { column: 2, keys: ['2017-01-01'], label: '2017 (incomplete), Total' },
  ]);
});

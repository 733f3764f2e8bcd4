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

import { expect, it } from 'vitest';

import type { ReaderFilter } from '../../requests/reader-view.ts';
import { emptyView } from './empty-view.ts';
import { listSelections } from './list-selections.ts';

const viewOf = (...filters: ReaderFilter[]) => ({ ...emptyView, filters });
const west = { field: 'Region', values: ['West'], tile: 'a' };
const year = { field: 'Ordered', values: ['2017-01-01'], grain: 'year' as const, tile: 'a' };
const month = { ...year, values: ['2017-03-01'], grain: 'month' as const };
const consumer = { field: 'Segment', values: ['Consumer'], tile: 'a' };

it.each([
  ['another field of the tile', consumer, { field: 'Segment', values: [] }],
  ['another period of the field', month, { field: 'Ordered', values: [], grain: 'month' }],
  ['the field in another tile', { ...west, tile: 'b' }, { field: 'Region', values: [] }],
])('a selection ends while others stay: %s', (_name, ended, selection) => {
  expect(listSelections(viewOf(west, year, ended), viewOf(west, year))).toEqual([selection]);
});

it('several marks are the values of their field', () => {
  const [first, second] = [
    { ...west, mark: 0 },
    { ...west, values: ['East'], mark: 1 },
  ];
  const year0 = { ...year, mark: 0 };
  expect(listSelections(viewOf(), viewOf(first, year0, second))).toEqual([
    { field: 'Region', values: ['West', 'East'] },
    { field: 'Ordered', values: ['2017-01-01'], grain: 'year' },
  ]);
});

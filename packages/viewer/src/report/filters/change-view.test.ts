import { expect, it } from 'vitest';

import { drillTo, selectMarks, setFilter, setSort } from './change-view.ts';
import { emptyView, isEmptyView } from './empty-view.ts';

const region = { name: 'Region', type: 'text' } as const;
const mark = { field: 'Region', values: ['East'] };

it('a filter replaces the reader’s filter on the field, and keeps the marks on it', () => {
  const marked = selectMarks(emptyView, '0.0.1', [mark]);
  const view = setFilter(setFilter(marked, region, ['West']), region, ['North']);
  expect(view.filters).toEqual([
    { ...mark, tile: '0.0.1' },
    { field: 'Region', values: ['North'] },
  ]);
});

it('a filter without values ends, but stays if it replaces a default of the report', () => {
  const view = setFilter(emptyView, region, ['West']);
  expect(isEmptyView(setFilter(view, region, []))).toBe(true);
  expect(setFilter(view, { ...region, default: ['East'] }, []).filters).toEqual([
    { field: 'Region', values: [] },
  ]);
});

it('a chart that is drilled has no selected marks, and leaves those of other charts', () => {
  const marked = selectMarks(selectMarks(emptyView, '0.0.1', [mark]), '0.0.2', [mark]);
  expect(drillTo(marked, '0.0.1', ['East'])).toEqual({
    filters: [{ ...mark, tile: '0.0.2' }],
    sorts: [],
    drills: [{ tile: '0.0.1', path: ['East'] }],
  });
});

it('a chart that is back at its first level has no entry', () => {
  expect(isEmptyView(drillTo(drillTo(emptyView, '0.0.1', ['East']), '0.0.1', []))).toBe(true);
});

it('a table has one order, and leaves those of other tables', () => {
  const by = (tile: string, column: number) => ({ tile, column, descending: true });
  const view = setSort(setSort(emptyView, by('0.0.1', 0)), by('0.0.2', 0));
  expect(setSort(view, by('0.0.1', 1)).sorts).toEqual([by('0.0.2', 0), by('0.0.1', 1)]);
});

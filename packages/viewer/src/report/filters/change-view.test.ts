import { expect, it } from 'vitest';

import { selectMarks, setFilter, setSort } from './change-view.ts';
import { drillTo, setAllPages } from './drill.ts';
import { emptyView, isEmptyView } from './empty-view.ts';
import { readSelection } from './selection.ts';

const region = { name: 'Region', type: 'text' } as const;
const mark = { field: 'Region', values: ['East'] };

it('a filter replaces the reader’s filter on the field, and keeps the marks on it', () => {
  const marked = selectMarks(emptyView, '0.0.1', [[mark]]);
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

it('a chart that is drilled keeps the mark of the level above, and leaves those of other charts', () => {
  const marked = selectMarks(selectMarks(emptyView, '0.0.1', [[mark]]), '0.0.2', [[mark]]);
  const drilled = drillTo(marked, '0.0.1', ['East']);
  expect(drilled).toEqual({
    filters: [
      { ...mark, tile: '0.0.2' },
      { ...mark, tile: '0.0.1' },
    ],
    sorts: [],
    drills: [{ tile: '0.0.1', path: ['East'] }],
  });
  expect(readSelection(drilled, '0.0.1')).toMatchObject({ path: [mark], marks: [] });
  const [texas, ohio] = ['Texas', 'Ohio'].map((name) => [{ field: 'State', values: [name] }]);
  const below = selectMarks(drilled, '0.0.1', [texas!, ohio!]);
  expect(readSelection(below, '0.0.1')).toMatchObject({ path: [mark], marks: [texas, ohio] });
  const lower = drillTo(selectMarks(below, '0.0.1', [ohio!]), '0.0.1', ['East', 'Ohio']);
  expect(readSelection(lower, '0.0.1')).toMatchObject({ path: [mark, ohio![0]], marks: [] });
  expect(drillTo(lower, '0.0.1', ['East'])).toEqual(drilled);
});

it('marks of one dimension are one filter, and others stay apart', () => {
  const at = (field: string, value: string) => ({ field, values: [value] });
  const one = [[at('Region', 'West')], [at('Region', 'East')]];
  const ofOne = selectMarks(emptyView, 'a', one);
  expect(ofOne.filters).toEqual([{ field: 'Region', values: ['West', 'East'], tile: 'a' }]);
  expect(readSelection(ofOne, 'a').marks).toEqual(
    one.map(([filter]) => [{ ...filter, tile: 'a' }]),
  );
  const two = [
    [at('Region', 'West'), at('Segment', 'Consumer')],
    [at('Region', 'East'), at('Segment', 'Corporate')],
  ];
  const ofTwo = selectMarks(emptyView, 'a', two);
  expect(ofTwo.filters.map(({ mark: number }) => number)).toEqual([0, 0, 1, 1]);
  expect(readSelection(ofTwo, 'a').marks).toMatchObject(two);
  const [, last] = two;
  expect(selectMarks(ofTwo, 'a', [last!]).filters).toMatchObject(last!);
  expect(selectMarks(ofTwo, 'a', [last!]).filters[0]).not.toHaveProperty('mark');
});

it('a selection that filters all pages does so until it is cleared', () => {
  const marked = setAllPages(selectMarks(emptyView, 'a', [[mark]]), 'a', true);
  expect(marked.filters).toEqual([{ ...mark, tile: 'a', allPages: true }]);
  const west = { field: 'Region', values: ['West'] };
  const more = selectMarks(marked, 'a', [[mark], [west]]);
  expect(more.filters).toMatchObject([{ values: ['East', 'West'], allPages: true }]);
  expect(setAllPages(more, 'a', false).filters[0]).not.toHaveProperty('allPages');
  expect(isEmptyView(selectMarks(more, 'a', []))).toBe(true);
});

it('a chart that is back at its first level has no entry', () => {
  expect(isEmptyView(drillTo(drillTo(emptyView, '0.0.1', ['East']), '0.0.1', []))).toBe(true);
});

it('a table has one order, and leaves those of other tables', () => {
  const by = (tile: string, column: number) => ({ tile, column, descending: true });
  const view = setSort(setSort(emptyView, by('0.0.1', 0)), by('0.0.2', 0));
  expect(setSort(view, by('0.0.1', 1)).sorts).toEqual([by('0.0.2', 0), by('0.0.1', 1)]);
});

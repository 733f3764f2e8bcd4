import { expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { salesView, west } from '../test/samples.ts';
import { listFilters, nameReaderFilter } from './list-filters.ts';

it('the filters of the host are listed before those of the reader', () => {
  const view = { ...salesView, filters: [west], readerFilters: [{ field: 'City', values: ['A'] }] };
  expect(listFilters(view, formats).map(({ column, values }) => [column, values])).toEqual([
    ['Region', ['West']],
    ['City', ['A']],
  ]);
});

it('a filter of the reader names blank and empty values, ranges, and positions in a period', () => {
  const valuesOf = (
    values: (string | null)[],
    grain?: 'month of year' | 'day of week' | 'hour of day',
  ) => nameReaderFilter({ field: 'Field', values, grain }, formats).values;
  expect(valuesOf(['West', null, '', '2017-01-01..2017-12-31'])).toEqual([
    'West',
    '(blank)',
    '(empty)',
    'Jan 1, 2017 – Dec 31, 2017',
  ]);
  expect(valuesOf(['3', null], 'month of year')).toEqual(['Mar', '(blank)']);
});

it('filters on one field are told apart by their period and tile', () => {
  const filter = { field: 'Ordered', values: ['1'] };
  const keys = [
    filter,
    { ...filter, grain: 'month of year' as const },
    { ...filter, grain: 'month of year' as const, tile: '0.0.0' },
  ].map((each) => nameReaderFilter(each, formats).key);
  expect(new Set(keys).size).toBe(3);
});

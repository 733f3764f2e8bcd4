import { expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { salesView, west } from '../test/samples.ts';
import { listFilters, nameReaderFilter } from './list-filters.ts';

it('the filters of the host are listed before those of the reader', () => {
  const view = {
    ...salesView,
    filters: [west],
    readerFilters: [{ field: 'City', type: 'text' as const, values: ['A'] }],
  };
  expect(listFilters(view, formats).map(({ column, values }) => [column, values])).toEqual([
    ['Region', ['West']],
    ['City', ['A']],
  ]);
});

it.each([
  ['text', ['West', '1..2', null, ''], ['West', '1..2', '(blank)', '(empty)']],
  ['boolean', ['true', 'false', null], ['Yes', 'No', '(blank)']],
  ['number', ['1..2', '3'], ['1 – 2', '3']],
  ['date', ['2017-01-01..2017-12-31', null], ['Jan 1, 2017 – Dec 31, 2017', '(blank)']],
] as const)(
  'a filter of the reader on a field of the type %s names its values',
  (type, values, names) => {
    const filter = { field: 'Field', type, values: [...values] };
    expect(nameReaderFilter(filter, formats).values).toEqual(names);
  },
);

it('a filter of the reader names positions in a period', () => {
  const filter = {
    field: 'Field',
    type: 'date',
    values: ['3', null],
    grain: 'month of year',
  } as const;
  expect(nameReaderFilter({ ...filter, values: [...filter.values] }, formats).values).toEqual([
    'Mar',
    '(blank)',
  ]);
});

it('filters on one field are told apart by their period and tile', () => {
  const filter = { field: 'Ordered', type: 'date' as const, values: ['1'] };
  const keys = [
    filter,
    { ...filter, grain: 'month of year' as const },
    { ...filter, grain: 'month of year' as const, tile: '0.0.0' },
  ].map((each) => nameReaderFilter(each, formats).key);
  expect(new Set(keys).size).toBe(3);
});

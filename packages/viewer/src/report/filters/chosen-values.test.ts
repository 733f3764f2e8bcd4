import type { Key } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import type { FilterField } from '../../requests/reader-view.ts';
import { formats } from '../../test/formats.ts';
import { dollars, salesView } from '../../test/samples.ts';
import { formatChosen, listChosen } from './chosen-values.ts';
import { emptyView } from './empty-view.ts';

describe('the values of a filter', () => {
  const field: FilterField = { name: 'Region', type: 'text', default: ['West'] };
  const shown = {
    ...salesView,
    readerFilters: [{ field: 'Region', type: 'text' as const, values: ['West'] }],
  };

  it('are those of the default, as long as it applies', () => {
    expect(listChosen(field, shown, emptyView)).toEqual(['West']);
    expect(listChosen(field, salesView, emptyView)).toEqual([]);
  });

  it('are those of the reader, even if there are none', () => {
    for (const values of [['East'], []])
      expect(
        listChosen(field, shown, { ...emptyView, filters: [{ field: 'Region', values }] }),
      ).toBe(values);
  });

  it('are not the selected marks of a chart', () => {
    const filters = [{ field: 'Region', values: ['East'], tile: '0.0.0' }];
    expect(
      listChosen({ ...field, default: undefined }, salesView, { ...emptyView, filters }),
    ).toEqual([]);
  });
});

it.each<[FilterField['type'], Key, string]>([
  ['text', 'West', 'West'],
  ['text', null, '(blank)'],
  ['text', '1..2', '1..2'],
  ['boolean', true, 'Yes'],
  ['boolean', 'false', 'No'],
  ['date', 'last 12 months', 'last 12 months'],
  ['date', 'previous quarter', 'previous quarter'],
  ['date', '2024-01-01..2024-03-31', 'Jan 1, 2024 – Mar 31, 2024'],
  ['date', 'last 5 weeks', 'Feb 5, 2024 – Mar 10, 2024'],
  ['number', 1_200, '$1,200'],
])('a value of type %s, %j, is shown as %s', (type, value, text) => {
  const field = { name: 'Field', type, ...(type === 'number' && { format: dollars }) };
  const readerFilters = [{ field: 'Field', type, values: ['2024-02-05..2024-03-10'] }];
  expect(formatChosen(field, value, { readerFilters }, formats)).toBe(text);
});

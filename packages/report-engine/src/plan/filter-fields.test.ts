import { expect, it } from 'vitest';

import { resolveColumns } from '../../test/support/content.ts';
import { readFilters } from './filters.ts';

/** The field of the dataset Sales that a key selects, if any. */
function findField(key: string, names: string[]): string | undefined {
  const dataset = resolveColumns('Sales', Object.fromEntries(names.map((name) => [name, 'text'])));
  const { filters, unapplied } = readFilters(dataset, [[{ key, value: 'x' }]]);
  const name = filters[0]?.field.name;
  expect(unapplied).toEqual(name === undefined ? [key] : []);
  return name;
}

it.each([
  ['Region', ['Region', 'City'], 'Region'],
  ['Sales/Region', ['Region', 'City'], 'Region'],
  ['sales/REGION', ['Region', 'City'], 'Region'],
  ['ANNE\u0301E', ['Année'], 'Année'],
  // Of columns that differ only in letter case, the exact spelling wins.
  ['region', ['Region', 'region', 'REGION'], 'region'],
  ['Sales/REGION', ['Region', 'region', 'REGION'], 'REGION'],
  ['sales/Region', ['region', 'Region'], 'Region'],
  // Without an exact spelling the key is ambiguous.
  ['rEGION', ['Region', 'region'], undefined],
  ['SALES/rEGION', ['Region', 'region'], undefined],
  // A column's own name may contain a slash.
  ['Net/Gross', ['Net/Gross', 'Gross'], 'Net/Gross'],
  ['Sales/Net/Gross', ['Net/Gross'], 'Net/Gross'],
  ['Sales/Region', ['Sales/Region', 'Region'], 'Region'],
  ['Other/Region', ['Region'], undefined],
  ['Regoin', ['Region'], undefined],
  ['', ['Region'], undefined],
])('the key %j among the fields %j selects %j', (key, columns, expected) => {
  expect(findField(key, columns)).toBe(expected);
});

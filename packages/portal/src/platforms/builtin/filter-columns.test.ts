import { expect, it } from 'vitest';

import { compileFilters } from './query.ts';

/** The column of the dataset Sales that a key selects, if any. */
function findColumn(key: string, columns: string[]): string | undefined {
  const types = new Map(columns.map((column) => [column, 'VARCHAR']));
  const { fragment, unapplied } = compileFilters({ name: 'Sales', columns: types }, [
    [{ key, value: 'x' }],
  ]);
  const [, column] = /"((?:[^"]|"")*)"/.exec(fragment.text) ?? [];
  expect(unapplied).toEqual(column === undefined ? [key] : []);
  return column;
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
])('the key %j among the columns %j selects %j', (key, columns, expected) => {
  expect(findColumn(key, columns)).toBe(expected);
});

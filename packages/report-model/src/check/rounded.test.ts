import { describe, expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { parseDatasetFile } from '../files/parse-files.ts';
import { resolveDataset } from './resolve-dataset.ts';
import { checkRounded } from './rounded.ts';

const columns = new Map<string, FieldType>([
  ['Region', 'text'],
  ['Order ID', 'text'],
  ['Order Date', 'date'],
  ['Sales', 'decimal'],
  ['Profit', 'number'],
  ['Quantity', 'integer'],
]);

function resolve(properties: object = {}) {
  const { value } = parseDatasetFile({ name: 'O', source: { file: 'a.csv' }, ...properties });
  return resolveDataset(value!, columns);
}

describe('a field of the type number', () => {
  const other = resolve().draft;
  const datasets = new Map([['region-managers', other]]);
  const check = (rows: object) => {
    const { draft } = resolve({ roles: [{ name: 'West', rows }] });
    return checkRounded(draft, datasets).map(({ path, message }) => [path.join('.'), message]);
  };
  const lookUp = { lookup: 'region-managers', key: 'Order ID', value: 'Region' };
  const matches = (fields: object) => ({
    matches: { lookup: 'region-managers', key: 'Order ID', fields },
  });
  const rounded = (place: string, name: string) => [
    `roles.0.rows${place}`,
    `West: ${name} has the type number, which rounds long values, so the role would match values of others; use a field of type text, integer or decimal, or write between`,
  ];

  it.each([
    [{ field: 'Profit', in: [1] }, '.field', '"Profit"'],
    [{ field: 'Profit', equals: 1 }, '.field', '"Profit"'],
    [{ not: { field: 'Profit', notIn: [1] } }, '.not.field', '"Profit"'],
    [{ or: [{ field: 'Profit', in: lookUp }] }, '.or.0.field', '"Profit"'],
    [
      { field: 'Quantity', notIn: { ...lookUp, value: 'Profit' } },
      '.notIn.value',
      '"Profit" of region-managers',
    ],
    [
      { field: 'Region', in: { ...lookUp, key: 'Profit' } },
      '.in.key',
      '"Profit" of region-managers',
    ],
    [
      { field: 'Region', in: { ...lookUp, through: 'Profit' } },
      '.in.through',
      '"Profit" of region-managers',
    ],
    [matches({ Profit: 'Region' }), '.matches.fields.Profit', '"Profit"'],
    [
      { not: matches({ Region: 'Region', Quantity: 'Profit' }) },
      '.not.matches.fields.Quantity',
      '"Profit" of region-managers',
    ],
    [
      { matches: { ...matches({ Region: 'Region' }).matches, key: 'Profit' } },
      '.matches.key',
      '"Profit" of region-managers',
    ],
  ])('%j is refused', (rows, place, name) => {
    expect(check(rows)).toEqual([rounded(place, name)]);
  });

  it.each([
    { field: 'Profit', between: [1, 2] },
    { field: 'Profit', isNull: true },
    { not: { field: 'Profit', after: 2 } },
    { field: 'Quantity', in: [1] },
    { field: 'Sales', equals: 1.5 },
    { field: 'Region', in: lookUp },
    matches({ Region: 'Region', Quantity: 'Quantity' }),
  ])('%j compares no rounded values', (rows) => {
    expect(check(rows)).toEqual([]);
  });
});

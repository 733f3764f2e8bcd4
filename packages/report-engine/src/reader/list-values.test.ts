import { afterAll, expect, it } from 'vitest';

import { ContentStage, type StageRequest } from '../../test/support/content.ts';
import { readerView } from '../../test/support/reader-view.ts';
import { filterBy, salesCsv, salesDataset } from '../../test/support/sales.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('sales.csv', salesCsv);

const report = {
  filters: [
    { field: 'Region' },
    { field: 'Large' },
    { field: 'Category', default: 'Chairs' },
    { field: 'Sales' },
  ],
  pages: [{ name: 'P', rows: [{ tiles: [{ type: 'kpi' as const, metric: 'Sales' }] }] }],
};
const anyCategory = { field: 'Category', values: [] };
const all = { view: readerView(anyCategory) };

async function list(field: string, request: StageRequest & { search?: string } = all) {
  const { values, valueCount } = await stage.listValues(salesDataset, report, {
    ...request,
    field,
  });
  return [valueCount, ...values.map(({ key, count }) => `${String(key)} ${count}`)];
}

it('values have the number of their rows, the most frequent first', async () => {
  expect(await list('Region')).toEqual([4, 'East 2', 'West 2', 'North 1', 'null 1']);
  expect(await list('Large')).toEqual([2, 'false 4', 'true 2']);
});

it('values are those under the roles, the host’s filters and the reader’s other filters', async () => {
  expect(
    await list('Region', { ...all, visibleRows: [{ field: 'Customer', in: ['ann'] }] }),
  ).toEqual([1, 'West 2']);
  expect(await list('Region', { ...all, ...filterBy('Sales', '40..') })).toEqual([
    3,
    'East 2',
    'North 1',
    'null 1',
  ]);
  const desks = { field: 'Category', values: ['Desks'] };
  expect(await list('Region', { view: readerView(desks) })).toEqual([2, 'East 1', 'West 1']);
});

it('a default of another field narrows the values', async () => {
  expect(await list('Region', {})).toEqual([3, 'East 1', 'North 1', 'West 1']);
});

it('the reader’s filter on the field does not narrow its values, the host’s does', async () => {
  const chosen = { field: 'Region', values: ['West'] };
  expect(await list('Region', { view: readerView(anyCategory, chosen) })).toHaveLength(5);
  expect(await list('Region', { ...all, ...filterBy('Region', 'West') })).toEqual([1, 'West 2']);
});

it('marks that the reader selects do not narrow the values of their own field', async () => {
  const selected = { field: 'Region', values: ['West'], tile: '0.0.0' };
  expect(await list('Region', { view: readerView(anyCategory, selected) })).toHaveLength(5);
});

it.each([
  ['ES', [1, 'West 2']],
  ["'", [0]],
  ['%', [0]],
])('the search %s finds the values that contain it, in any letter case', async (search, found) => {
  expect(await list('Region', { ...all, search })).toEqual(found);
});

it('a search finds numbers by their digits', async () => {
  expect(await list('Sales', { ...all, search: '16' })).toEqual([1, '160 1']);
});

it('at most 100 values are listed, with the number of all', async () => {
  const lines = Array.from({ length: 250 }, (_, index) => `R${index},Chairs,2024-01-01,1,1,ann`);
  stage.write('many.csv', `Region,Category,Ordered,Sales,Profit,Customer\n${lines.join('\n')}\n`);
  const dataset = { ...salesDataset, source: { file: 'many.csv' } };
  const { values, valueCount } = await stage.listValues(dataset, report, {
    ...all,
    field: 'Region',
  });
  expect([values.length, valueCount]).toEqual([100, 250]);
});

it.each(['Customer', 'Ordered', 'Nothing'])(
  'the values of %s, for which the report has no filter, are refused',
  async (field) => {
    await expect(list(field)).rejects.toThrow(`The report has no filter for a field "${field}".`);
  },
);

import { expect, it } from 'vitest';

import { Selections } from './selection.ts';

const point = (column: string, equals: unknown, table = 'Shop') => ({
  identity: [{ target: { table, column }, equals }],
});
const event = (visual: string, ...dataPoints: object[]) => ({
  visual: { name: visual },
  dataPoints,
});

it('the values of a column are one selection', () => {
  const selections = new Selections();
  const detail = event(
    'chart',
    point('City', 'Oslo'),
    point('City', 'Rome'),
    point('City', 'Oslo'),
  );
  expect(selections.read(detail)).toEqual([{ field: 'Shop/City', values: ['Oslo', 'Rome'] }]);
});

it('a column that is not selected any more has no values', () => {
  const selections = new Selections();
  selections.read(event('chart', point('City', 'Oslo')));
  selections.read(event('slicer', point('Year', 2024)));
  expect(selections.read(event('chart', point('Country', null)))).toEqual([
    { field: 'Shop/City', values: [] },
    { field: 'Shop/Country', values: [null] },
  ]);
  expect(selections.read(event('chart'))).toEqual([{ field: 'Shop/Country', values: [] }]);
  expect(selections.read(event('chart'))).toEqual([]);
});

it.each([
  ['nothing', undefined],
  ['no points', {}],
  ['a point without an identity', event('chart', {})],
  ['a measure', event('chart', { identity: [{ target: { table: 'Shop' }, equals: 1 }] })],
  ['a value that is no key', event('chart', point('City', { a: 1 }))],
])('%s selects nothing', (_, detail) => expect(new Selections().read(detail)).toEqual([]));

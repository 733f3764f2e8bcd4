import { expect, it } from 'vitest';

import { resolveColumns } from '../../test/support/content.ts';
import { emitCondition } from '../emit/condition.ts';
import { duckdb } from '../emit/duckdb.ts';
import { render, sql } from '../emit/sql.ts';
import { compileFilters, listUnreadable, readFilters } from './filters.ts';

it('a long list of values is one parameter, so that each value is cast only once', () => {
  const dataset = resolveColumns('Orders', { Ordered: 'datetime' });
  const values = Array.from({ length: 100 }, (_, index) => `${1900 + index}-01-01`);
  const list = values.map((value) => ({ key: 'Ordered', value }));
  const condition = compileFilters(readFilters(dataset, [list]).filters);
  const emitted = emitCondition(duckdb, { emit: () => sql`ordered` }, condition);
  const statement = render(emitted, duckdb.placeholder);
  expect(statement.values).toEqual([values]);
  expect(statement.text.match(/CAST/g)).toHaveLength(1);
});

it('a key that matches no field is named once, however many filters have it', () => {
  const filters = ['West', 'East'].map((value) => ({ key: 'Regoin', value }));
  const dataset = resolveColumns('Orders', { Region: 'text' });
  expect(readFilters(dataset, [filters, filters]).unapplied).toEqual(['Regoin']);
});

it('a filter whose value does not have the type of its field is named', () => {
  const types = { Ordered: 'datetime', Sales: 'number', Paid: 'boolean', Region: 'text' } as const;
  const dataset = resolveColumns('Orders', types);
  const filters = {
    Ordered: ['2024-01-01', '2024-01..', 'soon', '2024-01-01..soon', '2024-01-01..'],
    Sales: ['1', '1..2', '1,5', '..x'],
    Paid: ['yes', 'maybe'],
    Region: ['anything', '1..2'],
  };
  const list = Object.entries(filters).flatMap(([column, values]) =>
    values.map((value) => ({ key: `Orders/${column}`, value })),
  );
  const unreadable = listUnreadable(readFilters(dataset, [list]).filters);
  expect(unreadable.map(({ key, value }) => `${key} ${value}`)).toEqual([
    'Ordered 2024-01..',
    'Ordered soon',
    'Ordered 2024-01-01..soon',
    'Sales 1,5',
    'Sales ..x',
    'Paid maybe',
  ]);
});

it('a time at midnight is a day for a date, and another time matches no day', () => {
  const dataset = resolveColumns('Orders', { Ordered: 'date' });
  const compile = (value: string) =>
    compileFilters(readFilters(dataset, [[{ key: 'Ordered', value }]]).filters);
  const day = compile('2024-01-03');
  for (const midnight of ['2024-01-03T00:00:00', '2024-01-03 00:00', '2024-01-03 00:00:00.000'])
    expect(compile(midnight)).toEqual(day);
  expect(compile('2024-01-03 00:00:01')).not.toEqual(day);
  expect(compile('2024-01-04')).not.toEqual(day);
});

it('a decimal with a long run of zeros is read in linear time', () => {
  const dataset = resolveColumns('Orders', { Sales: 'decimal' });
  const filters = [{ key: 'Sales', value: `1.${'0'.repeat(400_000)}1` }];
  expect(listUnreadable(readFilters(dataset, [filters]).filters)).toEqual(filters);
});

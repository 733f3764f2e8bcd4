import { expect, it } from 'vitest';

import { emitCondition } from '../emit/condition.ts';
import { duckdb } from '../emit/duckdb.ts';
import { render, sql } from '../emit/sql.ts';
import { convertDataset } from '../flat/convert.ts';
import { compileFilters, readFilters } from './filters.ts';

it('a long list of values is one parameter, so that each value is cast only once', () => {
  const dataset = convertDataset('Orders', new Map([['Ordered', 'datetime']]));
  const values = Array.from({ length: 100 }, (_, index) => `${1900 + index}-01-01`);
  const list = values.map((value) => ({ key: 'Ordered', value }));
  const condition = compileFilters(readFilters(dataset, [list]).filters);
  const emitted = emitCondition(duckdb, () => sql`ordered`, condition);
  const statement = render(emitted, duckdb.placeholder);
  expect(statement.values).toEqual([values]);
  expect(statement.text.match(/CAST/g)).toHaveLength(1);
});

it('a key that matches no field is named once, however many filters have it', () => {
  const filters = ['West', 'East'].map((value) => ({ key: 'Regoin', value }));
  const dataset = convertDataset('Orders', new Map([['Region', 'text']]));
  expect(readFilters(dataset, [filters, filters]).unapplied).toEqual(['Regoin']);
});

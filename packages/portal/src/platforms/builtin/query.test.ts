import { expect, it } from 'vitest';

import { compileFilters } from './query.ts';

it('values that need a cast are one parameter, so each is cast once and not per row', () => {
  const columns = new Map([['Ordered', 'TIMESTAMP']]);
  const values = Array.from({ length: 100 }, (_, index) => `not a time ${index}`);
  const filters = values.map((value) => ({ key: 'Ordered', value }));
  const { fragment } = compileFilters({ name: 'Orders', columns }, [filters]);
  expect(fragment.values).toEqual([values]);
  expect(fragment.text.match(/TRY_CAST/g)).toHaveLength(1);
});

it('a key that matches no column is named once, however many filters have it', () => {
  const filters = ['West', 'East'].map((value) => ({ key: 'Regoin', value }));
  const dataset = { name: 'Orders', columns: new Map([['Region', 'VARCHAR']]) };
  expect(compileFilters(dataset, [filters, filters]).unapplied).toEqual(['Regoin']);
});

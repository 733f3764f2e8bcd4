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

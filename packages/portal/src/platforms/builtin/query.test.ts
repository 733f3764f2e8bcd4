import { expect, it } from 'vitest';

import { compileFilters } from './query.ts';

it('values that are cast are one parameter, so that they are cast once and not for each row', () => {
  const columns = new Map([['Ordered', 'TIMESTAMP']]);
  const values = Array.from({ length: 100 }, (_, index) => `not a time ${index}`);
  const filters = values.map((value) => ({ key: 'Ordered', value }));
  const { fragment } = compileFilters({ name: 'Orders', columns }, [filters]);
  expect(fragment.values).toEqual([values]);
  expect(fragment.text.match(/TRY_CAST/g)).toHaveLength(1);
});

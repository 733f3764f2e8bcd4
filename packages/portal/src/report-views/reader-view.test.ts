import { expect, it } from 'vitest';

import { readerViewSchema } from './reader-view.ts';

const parse = (counts: readonly number[]) =>
  readerViewSchema.safeParse({
    filters: counts.map((count, index) => ({
      field: 'Region',
      tile: `0.0.${index}`,
      values: Array.from({ length: count }, (_, value) => value),
    })),
    sorts: [],
    drills: [],
  });

it('the filters of a view have at most 1,000 values together', () => {
  expect(parse([500, 500]).success).toBe(true);
  expect(parse([500, 501]).error?.issues[0]?.message).toBe(
    'all filters together can have at most 1000 values',
  );
});

it('a view has at most one order and one path for each tile', () => {
  const sort = { tile: '0.0.0', column: 0, descending: true };
  const drill = { tile: '0.0.0', path: ['West'] };
  const view = { filters: [], sorts: [sort], drills: [drill] };
  expect(readerViewSchema.safeParse(view).success).toBe(true);
  for (const twice of [{ sorts: [sort, sort] }, { drills: [drill, drill] }])
    expect(readerViewSchema.safeParse({ ...view, ...twice }).error?.issues[0]?.message).toBe(
      'each tile can have only one',
    );
});

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

it('a view has at most one sort and one drill for each tile', () => {
  const sort = { tile: '0.0.0', column: 0, descending: true };
  const drill = { tile: '0.0.0', path: ['West'] };
  const view = { filters: [], sorts: [sort], drills: [drill] };
  expect(readerViewSchema.safeParse(view).success).toBe(true);
  for (const twice of [{ sorts: [sort, sort] }, { drills: [drill, drill] }])
    expect(readerViewSchema.safeParse({ ...view, ...twice }).error?.issues[0]?.message).toBe(
      'each tile can have only one',
    );
});

it('a filter may have missing values, long names and long texts', () => {
  const view = (field: string, values: unknown[], tile: string) => ({
    filters: [{ field, values, tile }],
    sorts: [],
    drills: [],
  });
  const longest = [null, true, 1, 'x'.repeat(2_000)];
  expect(readerViewSchema.safeParse(view('x'.repeat(250), longest, 'x'.repeat(100))).success).toBe(
    true,
  );
  for (const invalid of [
    view('', [], '0.0.0'),
    view('Region', [], ''),
    view('x'.repeat(251), [], '0.0.0'),
    view('Region', ['x'.repeat(2_001)], '0.0.0'),
    view('Region', [], 'x'.repeat(101)),
  ])
    expect(readerViewSchema.safeParse(invalid).success).toBe(false);
});

it('a sort has a column from 0 to 100, and a drill has at most 20 steps', () => {
  const isValid = (column: number, steps: number) =>
    readerViewSchema.safeParse({
      filters: [],
      sorts: [{ tile: '0.0.0', column, descending: true }],
      drills: [{ tile: '0.0.0', path: Array.from({ length: steps }, () => 'West') }],
    }).success;
  expect([isValid(0, 0), isValid(100, 20)]).toEqual([true, true]);
  expect([isValid(-1, 0), isValid(101, 0), isValid(0.5, 0), isValid(0, 21)]).toEqual(
    Array(4).fill(false),
  );
});

it('a view has at most 100 filters, 100 sorts and 100 drills', () => {
  const each = (length: number) => Array.from({ length }, (_, index) => `0.0.${index}`);
  const create = (filters: number, sorts: number, drills: number) =>
    readerViewSchema.safeParse({
      filters: each(filters).map((tile) => ({ field: 'Region', values: [], tile })),
      sorts: each(sorts).map((tile) => ({ tile, column: 100, descending: true })),
      drills: each(drills).map((tile) => ({ tile, path: Array.from({ length: 20 }, () => 'x') })),
    }).success;
  expect(create(100, 100, 100)).toBe(true);
  expect([create(101, 0, 0), create(0, 101, 0), create(0, 0, 101)]).toEqual([false, false, false]);
});

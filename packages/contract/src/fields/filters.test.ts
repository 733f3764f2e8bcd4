import { describe, expect, it } from 'vitest';

import { customFiltersSchema, foldFilterKey, requestLimits } from '../index.ts';

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Filters that take `bytes` bytes as JSON; their values repeat `letter`. */
function filtersOf(letter: string, bytes: number) {
  const filters = [{ key: 'k', value: '' }];
  while (sizeOf(filters) + 1_100 < bytes) {
    filters.push({ key: 'k', value: '' });
    while (filters.at(-1)!.value.length < 200) filters.at(-1)!.value += letter;
  }
  while (sizeOf(filters) < bytes) filters[filters[0]!.value.length < 900 ? 0 : 1]!.value += 'x';
  return filters;
}

describe('custom filters', () => {
  it.each(['x', 'ä', '€', '🦀', '"', '%', '\n'])(
    'of %j may take 16,384 bytes of UTF-8 as JSON, not more',
    (letter) => {
      const [allowed, tooLarge] = [16_384, 16_385].map((bytes) => filtersOf(letter, bytes));
      expect([sizeOf(allowed), sizeOf(tooLarge)]).toEqual([requestLimits.filterBytes, 16_385]);
      expect(customFiltersSchema.safeParse(allowed).success).toBe(true);
      expect(customFiltersSchema.safeParse(tooLarge).error?.issues).toMatchObject([
        { message: 'must have at most 16384 bytes in total' },
      ]);
    },
  );

  it('a custom filter with half a surrogate pair is refused', () => {
    expect(customFiltersSchema.safeParse([{ key: 'k', value: '\ud800' }]).success).toBe(false);
  });
});

describe('a folded filter key', () => {
  it.each([
    ['Orders/Region', 'ORDERS/region'],
    ['Année', 'ANNE\u0301E'],
    ['Ｒegion', 'region'],
  ])('the filter keys %s and %s fold to the same key', (one, other) => {
    expect(foldFilterKey(one)).toBe(foldFilterKey(other));
  });

  it.each([
    ['Region', 'Regions'],
    ['Region', 'Orders/Region'],
    ['a_b', 'a b'],
  ])('the filter keys %s and %s fold to different keys', (one, other) => {
    expect(foldFilterKey(one)).not.toBe(foldFilterKey(other));
  });
});

import { expect, it } from 'vitest';

import { parseFreshness } from './freshness.ts';

it.each([
  ['0 seconds', 0],
  ['30 seconds', 30_000],
  ['1 minute', 60_000],
  ['2 hours', 7_200_000],
  ['1 day', 86_400_000],
])('an answer with the freshness "%s" may be %d ms old', (text, age) => {
  expect(parseFreshness(text)).toBe(age);
});

import { expect, it } from 'vitest';

import { contrastOf } from './contrast.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0f6e56', '#0f6e56', 1],
  ['#0f6e56', '#ffffff', 6.2],
  ['#0a0a0a', '#ffffff', 19.8],
])('the contrast of %s and %s is that of WCAG', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
});

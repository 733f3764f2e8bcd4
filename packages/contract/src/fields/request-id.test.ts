import { expect, it } from 'vitest';

import { isRequestId } from '../index.ts';

it.each([
  ['a', true],
  ['3f2a7c10-58de-4b1c-9a64-0d1e8b7f2c91', true],
  ['Az_0-9.b', true],
  ['a'.repeat(42), true],
  ['a'.repeat(43), false],
  [`${'a'.repeat(42)}.${'b'.repeat(42)}`, true],
  [`a.${'_-'.repeat(22)}`, false],
  ['a.'.repeat(64), true],
  [`${'a.'.repeat(64)}a`, false],
  ['', false],
  ['two words', false],
  ['a\n', false],
  ['jürgen', false],
  [7, false],
  [undefined, false],
])('isRequestId(%j) is %s', (value, isValid) => {
  expect(isRequestId(value)).toBe(isValid);
});

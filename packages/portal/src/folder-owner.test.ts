import { expect, it } from 'vitest';

import { isInside } from './folder-owner.ts';

it.each([
  ['/data', true],
  ['/data/audit.csv', true],
  ['/data/..2026', true],
  ['/data/..2026/audit.csv', true],
  ['/data/..', false],
  ['/data/../audit.csv', false],
  ['/data2/audit.csv', false],
])('%s is inside /data: %s', (target, expected) => {
  expect(isInside('/data', target)).toBe(expected);
});

import { expect, it } from 'vitest';

import { createRetryBucket } from './retry-bucket.ts';

it('the retry bucket holds at most ten tokens', () => {
  const bucket = createRetryBucket();
  for (let call = 0; call < 1_000; call += 1) bucket.deposit();
  const taken = Array.from({ length: 20 }, () => bucket.take());
  expect(taken.filter(Boolean)).toHaveLength(10);
});

it('ten calls earn one retry', () => {
  const bucket = createRetryBucket();
  while (bucket.take());
  for (let call = 0; call < 11; call += 1) bucket.deposit();
  expect([bucket.take(), bucket.take()]).toEqual([true, false]);
});

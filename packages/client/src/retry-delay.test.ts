import { describe, expect, it } from 'vitest';

import { computeRetryDelay, readRetryAfter } from './retry-delay.ts';

describe('computeRetryDelay', () => {
  it('the retry delay doubles from 100 ms to 2 s, with full jitter', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      computeRetryDelay(attempt, undefined, () => 1),
    );
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
    expect(computeRetryDelay(5, undefined, () => 0)).toBe(0);
  });

  it('the retry delay is Retry-After, up to ten seconds', () => {
    expect(computeRetryDelay(1, 10)).toBe(10_000);
    expect(computeRetryDelay(1, 10.5)).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  it('Retry-After is a number of seconds or a date; other values are ignored', () => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    expect(readRetryAfter('7', now)).toBe(7);
    expect(readRetryAfter('Tue, 01 Jan 2030 00:00:05 GMT', now)).toBe(5);
    expect(readRetryAfter('Mon, 31 Dec 2029 00:00:00 GMT', now)).toBe(0);
    for (const text of ['soon', '', '-5', '1.5', '5 s', '0x10', 'Tue, 99 Jan 2030', '2030-01-01'])
      expect(readRetryAfter(text, now)).toBeUndefined();
    expect(readRetryAfter(undefined, now)).toBeUndefined();
  });

  it('Retry-After is limited to a day', () => {
    for (const text of ['99999999999', '9'.repeat(400), 'Fri, 01 Jan 2100 00:00:00 GMT'])
      expect(readRetryAfter(text)).toBe(86_400);
  });
});

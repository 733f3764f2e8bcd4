import { expect, it } from 'vitest';

import { ContentError } from './content-error.ts';

const createError = (count: number) =>
  new ContentError(
    Array.from({ length: count }, (_, index) => ({
      file: 'reports/orders.yaml',
      line: index + 1,
      column: 1,
      message: `mistake ${index + 1}`,
    })),
  );

it.each([
  [5, ' mistake 5.', 5],
  [6, 'and 1 more.', 6],
  [101, 'and 96 more.', 100],
])(
  '%i mistakes: the detail names five of them, and the list has up to 100',
  (count, end, listed) => {
    const { message, errors, mistakes } = createError(count);
    expect(message.match(/mistake \d/g)).toHaveLength(5);
    expect(message.endsWith(end)).toBe(true);
    expect(errors).toHaveLength(listed);
    expect(mistakes).toHaveLength(count);
  },
);

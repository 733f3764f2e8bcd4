import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { fieldErrors } from './index.ts';

describe('fieldErrors', () => {
  it('field errors name each invalid and each unknown field by its path', () => {
    const schema = z.strictObject({
      users: z.array(z.strictObject({ role: z.int('is not a role') })),
    });
    const { error } = schema.safeParse({
      users: [{ role: 'x', admin: true, owner: true }],
      all: 1,
    });
    expect(fieldErrors(error!)).toEqual([
      { path: 'users.0.role', message: 'is not a role' },
      { path: 'users.0.admin', message: 'is not a known field' },
      { path: 'users.0.owner', message: 'is not a known field' },
      { path: 'all', message: 'is not a known field' },
    ]);
  });

  it.each([
    ['invalid items', Array.from({ length: 250 }, () => 'x')],
    ['unknown fields', Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}`, n]))],
  ])('an answer has at most a hundred field errors for %s', (_, input) => {
    const schema = Array.isArray(input) ? z.array(z.int()) : z.strictObject({});
    expect(fieldErrors(schema.safeParse(input).error!)).toHaveLength(100);
  });
});

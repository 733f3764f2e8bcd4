import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { describeFieldErrors, fieldErrors } from './index.ts';

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

  it('a field error says what a field must be', () => {
    const schema = z.object({
      size: z.int().min(1).max(200),
      list: z.array(z.string()).max(1),
      name: z.string(),
    });
    const { error } = schema.safeParse({ size: 1000, list: ['a', 'b'] });
    expect(fieldErrors(error!)).toEqual([
      { path: 'size', message: 'must be at most 200' },
      { path: 'list', message: 'must have at most 1 items' },
      { path: 'name', message: 'must be string' },
    ]);
    expect(fieldErrors(schema.shape.size.safeParse(0).error!)).toEqual([
      { path: '', message: 'must be at least 1' },
    ]);
    expect(fieldErrors(z.string().min(1).safeParse('').error!)).toEqual([
      { path: '', message: 'must not be empty' },
    ]);
  });

  it('the path of a field is cut to 200 characters', () => {
    const { error } = z.strictObject({}).safeParse({ ['x'.repeat(90_000)]: 1 });
    expect(fieldErrors(error!)).toEqual([
      { path: `${'x'.repeat(200)}…`, message: 'is not a known field' },
    ]);
  });

  it('a description names at most five fields and counts the others', () => {
    const unknown = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`f${n}`, n]));
    const errors = fieldErrors(z.strictObject({}).safeParse(unknown).error!);
    expect(describeFieldErrors(errors.slice(0, 2))).toBe(
      'f0 is not a known field; f1 is not a known field',
    );
    expect(describeFieldErrors(errors)).toMatch(/; f4 is not a known field; and 2 more$/);
  });

  it.each([
    ['invalid items', Array.from({ length: 250 }, () => 'x')],
    ['unknown fields', Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}`, n]))],
  ])('an answer has at most a hundred field errors for %s', (_, input) => {
    const schema = Array.isArray(input) ? z.array(z.int()) : z.strictObject({});
    expect(fieldErrors(schema.safeParse(input).error!)).toHaveLength(100);
  });
});

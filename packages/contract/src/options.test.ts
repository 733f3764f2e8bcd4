import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { parseOptions } from './options.ts';

const schema = z.strictObject(
  {
    size: z.number('must be a number').default(5),
    nested: z.strictObject({ name: z.string() }).optional(),
  },
  'needs an object',
);
const parse = (options: unknown) => () => parseOptions(schema, options, 'createThing');

describe('parseOptions', () => {
  it('returns the options with their defaults', () => {
    expect(parse({})()).toEqual({ size: 5 });
  });

  it.each([
    [undefined, 'createThing: needs an object.'],
    [{ size: 'x' }, 'createThing: size must be a number.'],
    [{ sise: 1 }, 'createThing: sise is not a known field. Options: size, nested.'],
    [
      { size: 'x', nested: { name: 1, age: 2 } },
      'createThing: size must be a number; nested.name must be string; nested.age is not a known field.',
    ],
  ])('throws a TypeError for %o: %s', (options, message) => {
    expect(parse(options)).toThrow(new TypeError(message));
  });
});

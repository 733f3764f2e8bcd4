import { expect, it } from 'vitest';

import { emailsSchema, idSchema, parseInput } from './input.ts';

it.each([
  ['the name of its input', 'id must be a UUID', () => parseInput(idSchema, 'x', 'id')],
  ['no name if its input has none', 'must be a UUID', () => parseInput(idSchema, 'x')],
  [
    'the place in its list',
    '1 must be an e-mail address',
    () => parseInput(emailsSchema, ['ann@acme.example', 'bo']),
  ],
])('a refused value is told with %s', (_what, problem, parse) => {
  expect(parse).toThrow(
    expect.objectContaining({ message: `The input is not valid: ${problem}.` }),
  );
});

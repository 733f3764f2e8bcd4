import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, it } from 'vitest';

import { findAlike } from '../requests/palette.ts';

const tokens = readFileSync(
  createRequire(import.meta.url).resolve('page-kit/styles/tokens.css'),
  'utf8',
);
const usual = [...tokens.matchAll(/--series-\d+: light-dark\((#\w+), (#\w+)\)/g)];

it.each([
  ['light', 1],
  ['dark', 2],
])('people can tell the ten usual colors of series apart in %s mode', (_mode, group) => {
  const colors = usual.map((match) => match[group]!);
  expect(colors).toHaveLength(10);
  expect(findAlike(colors)).toEqual([]);
});

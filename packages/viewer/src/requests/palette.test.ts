import { expect, it } from 'vitest';

import { findAlike } from './palette.ts';

it('colors that people without red or green cones cannot tell apart are found', () => {
  // Olive and brown of about one lightness.
  expect(findAlike(['#8a6d00', '#9a6700', '#0969da'])).toEqual([['#8a6d00', '#9a6700']]);
});

it.each([
  ['Okabe and Ito', ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7']],
  ['Tol, bright', ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377']],
])('palettes for people with color blindness pass: %s', (_name, colors) => {
  expect(findAlike(colors)).toEqual([]);
});

it('equal colors and red and green of one lightness are alike', () => {
  expect(findAlike(['#123456', '#123456'])).toHaveLength(1);
  expect(findAlike(['#b0582f', '#7d7300'])).toHaveLength(1);
});

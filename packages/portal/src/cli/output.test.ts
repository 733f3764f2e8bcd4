import { expect, it } from 'vitest';

import { formatCount, formatLines, formatTable } from './output.ts';

it('a table aligns its columns and shows a missing value as a dash', () => {
  const rows = [
    ['acme', 12],
    ['globex', null],
  ];
  expect(formatTable(['NAME', 'USERS'], rows, 'None.')).toBe(
    'NAME    USERS\nacme    12\nglobex  -',
  );
  expect(formatTable(['NAME'], [], 'None.')).toBe('None.');
});

it('a table escapes control characters', () => {
  const attack = '\u001b[31mred\n999  root  deleteOrganization\u202e';
  expect(formatTable(['NAME'], [[attack]], 'None.')).toBe(
    'NAME\n\\u{1b}[31mred\\u{a}999  root  deleteOrganization\\u{202e}',
  );
});

it('lines escape control characters', () => {
  expect(formatLines(['\u001b]52;c;a\u0007', 'two\nlines'])).toBe(
    '\\u{1b}]52;c;a\\u{7}\ntwo\nlines',
  );
});

it('a count names one thing in the singular, and any other number in the plural', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'entry', 'entries'))).toEqual([
    '0 entries',
    '1 entry',
    '2 entries',
  ]);
});

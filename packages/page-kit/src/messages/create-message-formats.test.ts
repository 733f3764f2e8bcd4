import { expect, it } from 'vitest';

import { createMessageFormats } from './create-message-formats.ts';
import english from './en.json';
import spanish from './es.json';

const { formatMessage, formatEvery, formatEither } = createMessageFormats(english, ['en-US']);

it('a message has its values, and numbers as counts', () => {
  expect(formatMessage('note.rows', { shown: 15, total: 5_000 })).toBe(
    '15 of 5,000 rows are shown.',
  );
  expect(formatMessage('problem.request', { id: '1234' })).toBe('Request 1234');
});

it('a value that looks like a placeholder stays as it is', () => {
  const values = { name: '{value}', value: '$1' };
  expect(formatMessage('tooltip.value', values)).toBe('{value}: $1');
});

it.each([
  [1, /from 1 row\.$/, /con 1 fila\.$/],
  [0, /from 0 rows\.$/, /con 0 filas\.$/],
  [2_000_000, /from 2,000,000 rows\.$/, /con 2\.000\.000 de filas\.$/],
])('the plural form of %d is that of the language', (count, text, translation) => {
  expect(formatMessage('why.rows', { count })).toMatch(text);
  const { formatMessage: translate } = createMessageFormats(spanish, ['es']);
  expect(translate('why.rows', { count })).toMatch(translation);
});

it('a language without the plural form of a number uses its general one', () => {
  const { formatMessage: format } = createMessageFormats({ ...english, language: 'ar' }, ['en']);
  expect(format('why.rows', { count: 2 })).toMatch(/2 rows\.$/);
});

it('lists have the word of the language before their last item', () => {
  expect([formatEvery(['A', 'B', 'C']), formatEither(['A', 'B'])]).toEqual([
    'A, B, and C',
    'A or B',
  ]);
  expect(createMessageFormats(spanish, ['es']).formatEither(['A', 'B'])).toBe('A o B');
});

it('in a language that is written from right to left, values keep their own direction', () => {
  const { formatMessage: format } = createMessageFormats({ ...english, direction: 'rtl' }, ['en']);
  expect(format('problem.request', { id: 'r-1' })).toBe('Request \u2068r-1\u2069');
});

it.each(['\u05d0\u05d1', '\u202egnp.exe'])(
  'in a language that is written from left to right, %j does not reorder the sentence around it',
  (name) => {
    expect(formatMessage('tooltip.value', { name, value: '$1' })).toBe(`\u2068${name}\u2069: $1`);
    expect(formatEvery([name, 'B'])).toBe(`\u2068${name}\u2069 and B`);
  },
);

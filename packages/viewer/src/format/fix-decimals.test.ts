import type { FormatOptions, Value } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { fixDecimals } from './fix-decimals.ts';

const standard = { notation: 'standard' } as const;

it.each<[string, FormatOptions, Value[], string[]]>([
  [
    'as many as one number needs',
    { style: 'decimal', ...standard },
    [1, 2.5, 0.25],
    ['1.00', '2.50', '0.25'],
  ],
  [
    'two where one number needs one',
    { style: 'decimal', ...standard, maximumFractionDigits: 2 },
    [1, 2.5],
    ['1.00', '2.50'],
  ],
  ['none for whole numbers', { style: 'decimal', ...standard }, [1, 20], ['1', '20']],
  [
    'those of its currency',
    { style: 'currency', currency: 'USD', ...standard },
    [1, 2.5],
    ['$1.00', '$2.50'],
  ],
  [
    'at most those of its format',
    { style: 'percent', maximumFractionDigits: 1, ...standard },
    [0.5, 0.12345],
    ['50.0%', '12.3%'],
  ],
  [
    'those of exact numbers',
    { style: 'decimal', ...standard },
    ['12345678901234567.25', 1],
    ['12,345,678,901,234,567.25', '1.00'],
  ],
  [
    'no other ones where they are short',
    { style: 'decimal', notation: 'compact' },
    [1_200, 15_000],
    ['1.2K', '15K'],
  ],
  [
    'one if its format has no room for two',
    { style: 'decimal', ...standard, maximumFractionDigits: 1 },
    [1, 2.5],
    ['1.0', '2.5'],
  ],
])('a column has %s', (_name, format, values, texts) => {
  const [fixed] = fixDecimals(
    [{ format }],
    values.map((value) => [value, 0]),
    formats,
  );
  expect(values.map((value) => formats.formatNumber(value, fixed!.format))).toEqual(texts);
});

it.each<[Value, FormatOptions, string]>([
  [165_786.1, { style: 'decimal', ...standard, maximumFractionDigits: 2 }, '165,786.10'],
  [165_786, { style: 'decimal', ...standard, maximumFractionDigits: 2 }, '165,786'],
  ['165786.10', { style: 'decimal', ...standard, maximumFractionDigits: 2 }, '165,786.10'],
  [0.125, { style: 'decimal', ...standard }, '0.125'],
  [0.125, { style: 'percent', ...standard, maximumFractionDigits: 2 }, '12.50%'],
  [2.5, { style: 'decimal', ...standard, maximumFractionDigits: 1 }, '2.5'],
  [2.5, { style: 'decimal', ...standard, minimumFractionDigits: 1 }, '2.5'],
  [2.5, { style: 'decimal', ...standard, minimumFractionDigits: 0 }, '2.5'],
  [1_250, { style: 'decimal', notation: 'compact', maximumFractionDigits: 2 }, '1.25K'],
])('%j on its own in the format %j has the decimals of a column', (value, format, text) => {
  expect(formats.formatNumber(value, format)).toBe(text);
});

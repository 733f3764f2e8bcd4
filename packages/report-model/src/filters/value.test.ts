import { expect, it } from 'vitest';

import { parseFilterValue } from './value.ts';

const periods = (unit: string, count: number, ago = 0) => ({ kind: 'periods', unit, count, ago });

it.each([
  ['last 12 months', 'date', periods('month', 12)],
  ['last 1 day', 'datetime', periods('day', 1)],
  ['this year', 'date', periods('year', 1)],
  ['previous week', 'date', periods('week', 1, 1)],
  ['last 12 months', 'text', { kind: 'value', value: 'last 12 months' }],
  ['last 12 months', 'integer', undefined],
  ['last 0 days', 'date', undefined],
  ['last month', 'date', undefined],
  ['this years', 'date', undefined],
  ['2024-01-01..2024-12-31', 'date', { kind: 'range', from: '2024-01-01', to: '2024-12-31' }],
  ['2024-01-01..', 'date', { kind: 'range', from: '2024-01-01' }],
  ['..2024-12-31 18:30', 'datetime', { kind: 'range', to: '2024-12-31 18:30' }],
  ['-5..-1.5', 'decimal', { kind: 'range', from: '-5', to: '-1.5' }],
  ['-5..-1.5', 'integer', undefined],
  ['..', 'number', undefined],
  ['1..2..3', 'number', undefined],
  ['1..2', 'text', { kind: 'value', value: '1..2' }],
  ['2024-02-30', 'date', undefined],
  ['9223372036854775807', 'integer', { kind: 'value', value: '9223372036854775807' }],
  ['9223372036854775808', 'integer', undefined],
  ['1e-7', 'number', { kind: 'value', value: '1e-7' }],
  ['1e-7..1.5e+21', 'number', { kind: 'range', from: '1e-7', to: '1.5e+21' }],
  ['1e999', 'number', undefined],
  ['-1e-7', 'decimal', { kind: 'value', value: '-1e-7' }],
  ['1e-38', 'decimal', undefined],
  ['1e5', 'integer', undefined],
  ['true', 'boolean', { kind: 'value', value: 'true' }],
  ['', 'integer', undefined],
  ['', 'text', { kind: 'value', value: '' }],
] as const)('the filter %j on a field of type %s is %j', (text, type, value) => {
  expect(parseFilterValue(text, type)).toEqual(value);
});

import { expect, it } from 'vitest';

import { clickhouse } from './clickhouse.ts';
import { Emitter } from './query.ts';

const emitter = new Emitter(clickhouse, {
  from: clickhouse.from({ table: 'orders' }),
  columns: new Map([['Id', { name: 'UInt64', isFinite: false }]]),
  timeZone: 'UTC',
});

it('a list that is split into parts is still a single condition', () => {
  const { text } = emitter.emit({
    rows: {
      kind: 'in',
      operand: { kind: 'column', name: 'Id', type: 'decimal' },
      // Two parts, because ClickHouse limits the length of a value.
      values: Array.from({ length: 3_000 }, (_, index) => String(10n ** 18n + BigInt(index))),
    },
    dimensions: [],
    metrics: [{ kind: 'call', function: 'count', type: 'integer', arguments: [] }],
    order: [],
  });
  const [, where = ''] = text.split(' WHERE ');
  expect(where.match(/ OR /g)).toHaveLength(2);
  expect(removeGroups(where)).not.toContain(' OR ');
});

it('a statement without subtotals groups the rows of the table, so that each server groups its own', () => {
  const id = { kind: 'column', name: 'Id', type: 'integer' } as const;
  const { text } = emitter.emit({
    rows: { kind: 'every' },
    dimensions: [{ expression: id }],
    metrics: [{ kind: 'call', function: 'sum', type: 'integer', arguments: [id] }],
    order: [],
  });
  expect(text).toContain('FROM `orders` AS s WHERE true GROUP BY k0)');
  expect(text.match(/(?<= AS )\w+/g)).toEqual(['k0', 'v0', 'n', 's']);
});

it.each([
  ['DateTime', 'UTC', 'toTimeZone(s.`At`, '],
  ['Nullable(DateTime64(6))', 'UTC', 'toTimeZone(s.`At`, '],
  ["DateTime64(9, 'UTC')", 'UTC', 'toDateTime64(s.`At`, 6, '],
  ['DateTime', 'Asia/Tokyo', 'addSeconds('],
])('a time of the type %s is read in microseconds in %s', (name, timeZone, read) => {
  const at = { kind: 'column', name: 'At', type: 'datetime' } as const;
  const bound = (value: string) => ({ type: 'datetime', value, isIncluded: true }) as const;
  const { text } = new Emitter(clickhouse, {
    from: clickhouse.from({ table: 'orders' }),
    columns: new Map([['At', { name, isFinite: false }]]),
    timeZone,
  }).emit({
    rows: { kind: 'range', operand: at, from: bound('2024-01-01'), to: bound('2024-01-31') },
    dimensions: [{ expression: at }],
    metrics: [],
    order: [],
  });
  expect(text).toContain(`SELECT ${read}`);
  // Only a time that is read as it is stored is compared once.
  const isStored = read.startsWith('toTimeZone');
  expect(text.match(/fromUnixTimestamp64Micro/g)).toHaveLength(isStored ? 2 : 4);
});

/** Replaces each outermost pair of parentheses. */
function removeGroups(text: string): string {
  let depth = 0;
  return text
    .split('')
    .filter((character) => {
      if (character === '(') depth += 1;
      const isOutside = depth === 0;
      if (character === ')') depth -= 1;
      return isOutside;
    })
    .join('');
}

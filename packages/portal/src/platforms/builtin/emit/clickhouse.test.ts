import { expect, it } from 'vitest';

import { clickhouse } from './clickhouse.ts';
import { Emitter } from './query.ts';

it('a list in several parts is one condition among others', () => {
  const { text } = new Emitter(clickhouse, {
    from: clickhouse.from({ table: 'orders' }),
    columns: new Map([['Id', { name: 'UInt64', isFinite: false }]]),
    timeZone: 'UTC',
  }).emit({
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

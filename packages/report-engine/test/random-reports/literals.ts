import type { FieldType } from '@portal-embed/report-model';
import fc from 'fast-check';

import { pools, scale, type Cell } from './rows.ts';

/** A value as a role or a filter writes it, with what it means for one type. */
export interface Literal {
  text: string;
  /** As a value to equal; absent if the text is none of the type. */
  value?: Exclude<Cell, null>;
  /** As an end of a range: the first value that belongs to it, and the first one after it. */
  end?: { first: Comparable; next: Comparable | undefined };
}

export type Comparable = bigint | number | string;

const next = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

const invalid = (...texts: string[]): Literal[] => texts.map((text) => ({ text }));

const plain = (text: string, value: Comparable): Literal => ({
  text,
  value,
  end: { first: value, next: undefined },
});

const integer = (value: bigint, text = String(value)): Literal => ({
  text,
  value,
  end: { first: value * scale, next: undefined },
});

const literals: Record<FieldType, Literal[]> = {
  text: [...pools.Region, ...pools.Owner, 'high', 'West/', "'; DROP TABLE x; --"].map((text) =>
    plain(text, text),
  ),
  integer: [
    ...pools.Big.map((value) => integer(value)),
    ...pools.N.map((value) => integer(value)),
    integer(2n, '2.0'),
    integer(2n, ' 2e0'),
    integer(2024n),
    { text: '1.5', end: { first: 15_000n, next: undefined } },
    { text: '-0.5', end: { first: -5_000n, next: undefined } },
    { text: '9223372036854775808', end: { first: 2n ** 63n * scale, next: undefined } },
    ...invalid('', 'one', '0x1', '1 000'),
  ],
  decimal: [
    ...pools.Price.map((value) => ({
      text: `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value)
        .padStart(5, '0')
        .replace(/(....)$/, '.$1')}`,
      value,
      end: { first: value, next: undefined },
    })),
    { text: '1', value: 10_000n, end: { first: 10_000n, next: undefined } },
    { text: '5e-1', value: 5_000n, end: { first: 5_000n, next: undefined } },
    ...invalid('', 'one', '1,5'),
  ],
  number: [
    ...[0, 0.5, 1.5, -2.5, 0.1, 0.25, 1234.5678, 1, 2, -1, 3].map((value) =>
      plain(String(value), value),
    ),
    plain('15e-1', 1.5),
    ...invalid('', 'NaN', 'Infinity', 'one'),
  ],
  date: [
    ...pools.Day.filter((day) => day !== 'infinity').map((day) => plain(day, day)),
    plain('2024-10-01', '2024-10-01'),
    plain('2024-2-29', '2024-02-29'),
    ...invalid('', '2023-02-29', 'infinity', 'soon', '2024'),
  ],
  datetime: [
    ...pools.Clock.map((time) => plain(time, time)),
    plain('2024-03-31 02:30', '2024-03-31T02:30:00'),
    ...['2024-03-31', '2024-10-27', '2024-03-30', '2024-03-31', '2024-10-27'].map((day) => ({
      text: day,
      value: `${day}T00:00:00`,
      end: { first: `${day}T00:00:00`, next: `${next(day)}T00:00:00` },
    })),
    ...invalid('', '2024-03-31T24:30', 'soon'),
  ],
  boolean: [
    { text: 'true', value: true },
    { text: 'false', value: false },
    { text: 'Yes', value: true },
    ...invalid('', 'maybe', '2'),
  ],
};

/** A literal for a type, sometimes one of another type. */
export const literalOf = (type: FieldType): fc.Arbitrary<Literal> =>
  fc.constantFrom(...literals[type]);

/** Writes a cell so that it can be compared with ends of ranges. */
export const toComparable = (type: FieldType, cell: Exclude<Cell, null>): Comparable =>
  type === 'integer' ? (cell as bigint) * scale : (cell as Comparable);

/** Compares in the order of the type; text by its bytes. */
export function compareValues(one: Comparable | boolean, other: Comparable | boolean): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import type { Dimension, Key, Value } from '@portal-embed/report-model';

/** Compares numbers. Exact numbers that are equal as doubles are compared digit by digit. */
export function compareValues(one: Value, other: Value): number {
  const rough = Number(one) - Number(other);
  if (rough !== 0 || ![one, other].every((value) => plainNumber.test(String(value)))) return rough;
  const places = Math.max(decimalsOf(one), decimalsOf(other));
  const [a, b] = [scale(one, places), scale(other, places)];
  return a < b ? -1 : Number(a > b);
}

const plainNumber = /^-?\d+(\.\d+)?$/;

const decimalsOf = (value: Value) => String(value).split('.')[1]?.length ?? 0;

const scale = (value: Value, places: number) => {
  const [whole, decimals = ''] = String(value).split('.');
  return BigInt(`${whole}${decimals.padEnd(places, '0')}`);
};

/** Compares keys of a dimension of times or numbers. Blank keys come last. */
export function compareKeys(kind: 'time' | 'number', one: Key, other: Key): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [a, b] = [String(one), String(other)];
  if (kind === 'number') return compareValues(a, b);
  return a < b ? -1 : Number(a > b);
}

/** Compares keys by the order of their dimension. Keys that are not in it are equal, and blank keys last. */
export function compareRanks({ order }: Dimension, one: Key, other: Key): number {
  if (!order) return 0;
  const [a, b] = [one, other].map((key) => {
    const place = key === null ? order.length + 1 : order.indexOf(key);
    return place < 0 ? order.length : place;
  });
  return a! - b!;
}

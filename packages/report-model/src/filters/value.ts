import type { FieldType } from '../files/dataset.ts';
import { isTextOf } from '../values/literals.ts';

const units = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PeriodUnit = (typeof units)[number];

/** The meaning of a filter's text for the type of its field. */
export type FilterValue =
  | { kind: 'value'; value: string }
  /** Both ends are included. An absent end is open. */
  | { kind: 'range'; from?: string; to?: string }
  /** `count` calendar periods. The last one is `ago` periods before the period of the newest data. */
  | { kind: 'periods'; unit: PeriodUnit; count: number; ago: number };

const unit = `(${units.join('|')})`;
const several = new RegExp(`^last (\\d{1,4}) ${unit}s?$`);
const one = new RegExp(`^(this|previous) ${unit}$`);

function parsePeriods(text: string): FilterValue | undefined {
  const [, first = '', name] = several.exec(text) ?? one.exec(text) ?? [];
  const count = /^\d/.test(first) ? Number(first) : 1;
  if (name === undefined || count === 0) return undefined;
  return { kind: 'periods', unit: name as PeriodUnit, count, ago: first === 'previous' ? 1 : 0 };
}

function parseRange(text: string, type: FieldType): FilterValue | undefined {
  const [from = '', to = '', ...rest] = text.split('..');
  const ends = [from, to].filter((end) => end !== '');
  if (rest.length > 0 || ends.length === 0 || !ends.every((end) => isTextOf(type, end)))
    return undefined;
  return { kind: 'range', ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}

const hasRanges = (type: FieldType) => type !== 'text' && type !== 'boolean';
const hasPeriods = (type: FieldType) => type === 'date' || type === 'datetime';

/**
 * Reads a filter's text: a value, `from..to` on numbers and times, or `last 12 months`, `this year`
 * or `previous week` on times. `undefined` if the text does not fit the type.
 */
export function parseFilterValue(text: string, type: FieldType): FilterValue | undefined {
  if (isTextOf(type, text)) return { kind: 'value', value: text };
  return (
    (hasRanges(type) && text.includes('..') ? parseRange(text, type) : undefined) ??
    (hasPeriods(type) ? parsePeriods(text) : undefined)
  );
}

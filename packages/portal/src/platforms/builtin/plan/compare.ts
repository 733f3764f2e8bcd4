import { parseFilterValue, type FieldType, type TypedExpression } from '@portal-embed/report-model';

import { addPeriods, startOfPeriod } from './periods.ts';
import type { Bound, Condition } from './plan.ts';
import { readValue } from './values.ts';

/** The part of a field that conditions need. */
export interface Operand {
  type: FieldType;
  expression: TypedExpression;
}

const unknown: Condition = { kind: 'unknown' };

export const everyOf = (parts: readonly Condition[]): Condition =>
  parts.length === 0 ? { kind: 'every' } : { kind: 'and', parts };

export const anyOf = (parts: readonly Condition[]): Condition =>
  parts.length === 0 ? { kind: 'none' } : { kind: 'or', parts };

export const negate = (part: Condition): Condition => ({ kind: 'not', part });

/** Whether the field has one of the values. Unknown if none of the texts is a value of its type. */
export function isIn(
  { type, expression }: Operand,
  texts: readonly string[],
  ignoreCase = false,
): Condition {
  const values = texts.map((text) => readValue(type, text)).filter((value) => value !== undefined);
  if (values.length === 0) return unknown;
  return {
    kind: 'in',
    operand: expression,
    values: [...new Set(values)],
    ...(ignoreCase && type === 'text' ? { ignoreCase } : {}),
  };
}

/** The ends of a range, as they are written. */
export interface Ends {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Whether the field is within a range, whose ends belong to it. A date stands for its whole day, also
 * among times. Unknown if an end is no value of the field's type.
 */
export function isBetween({ type, expression }: Operand, { from, to }: Ends): Condition {
  const first = readEnd(type, from, (value) => ({ value, isIncluded: true }));
  const last = readEnd(type, to, (value) =>
    isDay(type, value)
      ? { value: addPeriods(value, 'day', 1), isIncluded: false }
      : { value, isIncluded: true },
  );
  return range(expression, first, last);
}

/** Whether the field is before a value, or before the day that it names. */
export function isBefore({ type, expression }: Operand, text: string): Condition {
  return range(
    expression,
    {},
    readEnd(type, text, (value) => ({ value, isIncluded: false })),
  );
}

/** Whether the field is after a value, or after the day that it names. */
export function isAfter({ type, expression }: Operand, text: string): Condition {
  const first = readEnd(type, text, (value) =>
    isDay(type, value)
      ? { value: addPeriods(value, 'day', 1), isIncluded: true }
      : { value, isIncluded: false },
  );
  return range(expression, first, {});
}

const isDay = (type: FieldType, value: string) => type === 'datetime' && value.length === 10;

type End = { bound?: Bound } | 'invalid';

function readEnd(
  type: FieldType,
  text: string | undefined,
  toBound: (value: string) => Bound,
): End {
  if (text === undefined) return {};
  const value = readValue(type, text);
  return value === undefined ? 'invalid' : { bound: toBound(value) };
}

function range(operand: TypedExpression, from: End, to: End): Condition {
  if (from === 'invalid' || to === 'invalid') return unknown;
  return {
    kind: 'range',
    operand,
    ...(from.bound ? { from: from.bound } : {}),
    ...(to.bound ? { to: to.bound } : {}),
  };
}

const hasRanges = (type: FieldType) => type !== 'text' && type !== 'boolean';

/** Splits `from..to`, of which one end may be open. `undefined`: the text is no range of the type. */
export function readRange(type: FieldType, text: string): Ends | undefined {
  const at = hasRanges(type) ? text.indexOf('..') : -1;
  if (at === -1) return undefined;
  const [from, to] = [text.slice(0, at).trim(), text.slice(at + 2).trim()];
  if (from === '' && to === '') return undefined;
  return { from: from || undefined, to: to || undefined };
}

/** Whether the field has one of the values or is in one of the ranges `from..to`. */
export function matchesAny(field: Operand, texts: readonly string[]): Condition {
  const ranges = texts
    .map((text) => readRange(field.type, text))
    .filter((ends) => ends !== undefined);
  const values = texts.filter((text) => readRange(field.type, text) === undefined);
  return anyOf([
    ...(values.length > 0 ? [isIn(field, values)] : []),
    ...ranges.map((ends) => isBetween(field, ends)),
  ]);
}

/**
 * Writes relative dates, such as `last 12 months`, as a range `from..to` of days before the time of
 * the data. Other texts stay. `undefined`: the data has no time.
 */
export function resolvePeriods(
  type: FieldType,
  text: string,
  dataAsOf: string | undefined,
): string | undefined {
  const parsed = parseFilterValue(text, type);
  if (parsed?.kind !== 'periods') return text;
  if (dataAsOf === undefined) return undefined;
  const { unit, count, ago } = parsed;
  const last = startOfPeriod(dataAsOf, unit);
  const from = addPeriods(last, unit, 1 - count - ago);
  const end = addPeriods(last, unit, 1 - ago);
  return `${from}..${addPeriods(end, 'day', -1)}`;
}

import { parseFilterValue, type FieldType, type TypedExpression } from '@portal-embed/report-model';

import { addPeriods, startOfPeriod } from './periods.ts';
import type { Bound, Condition, Rows } from './plan.ts';
import { readValue } from './values.ts';

/** The part of a field that conditions need. */
export interface Operand {
  type: FieldType;
  expression: TypedExpression;
}

const unknown: Condition = { kind: 'unknown' };

export function everyOf(parts: readonly Condition[]): Condition {
  const [first, ...others] = parts.filter(({ kind }) => kind !== 'every');
  if (!first) return { kind: 'every' };
  return others.length === 0 ? first : { kind: 'and', parts: [first, ...others] };
}

export function anyOf(parts: readonly Condition[]): Condition {
  if (parts.some(({ kind }) => kind === 'every')) return { kind: 'every' };
  const [first, ...others] = parts;
  if (!first) return { kind: 'none' };
  return others.length === 0 ? first : { kind: 'or', parts };
}

export const allRows: Rows = { visible: { kind: 'every' }, chosen: { kind: 'every' } };

/** The rows that also match the condition. */
export const chooseRows = ({ visible, chosen }: Rows, condition: Condition): Rows => ({
  visible,
  chosen: everyOf([chosen, condition]),
});

export const negate = (part: Condition): Condition => ({ kind: 'not', part });

interface ListOptions {
  /** Whether to compare texts without letter case. Default: false. */
  ignoreCase?: boolean;
  /** The separator of several texts in the field, of which one must be a value. Default: none. */
  split?: string | undefined;
}

/**
 * Whether the field has one of the values. Unknown if no text is valid for the field's type. Of a field
 * with `split`, empty parts do not count.
 */
export function isIn(
  { type, expression }: Operand,
  texts: readonly string[],
  { ignoreCase = false, split }: ListOptions = {},
): Condition {
  const values = texts.flatMap((text) => {
    const value = readValue(type, text);
    return value === undefined || (split !== undefined && value === '') ? [] : [value];
  });
  if (values.length === 0) return unknown;
  return {
    kind: 'in',
    operand: expression,
    values: [...new Set(values)],
    ...(ignoreCase && type === 'text' ? { ignoreCase } : {}),
    ...(split === undefined ? {} : { split }),
  };
}

/**
 * Whether the values of the fields stand together in one of the rows, whose texts are in the order of the
 * fields. Unknown if no row has a valid text for each field.
 */
export function isMatch(
  fields: readonly Operand[],
  rows: readonly (readonly string[])[],
): Condition {
  const columns = fields.map((): string[] => []);
  for (const row of rows) {
    const values = fields.map(({ type }, index) => readValue(type, row[index] ?? ''));
    if (values.includes(undefined)) continue;
    for (const [index, value] of values.entries()) columns[index]?.push(value ?? '');
  }
  if (!columns[0]?.length) return unknown;
  return { kind: 'match', operands: fields.map(({ expression }) => expression), columns };
}

/** The ends of a range, as text. */
export interface Ends {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Whether the field is within a range, including its ends. For a `datetime`, a date as an end means the
 * whole day. Unknown if an end is not valid for the field's type.
 */
export const isBetween = ({ type, expression }: Operand, { from, to }: Ends): Condition =>
  range(expression, readEnd(type, from, true, false), readEnd(type, to, true, true));

/** Whether the field is before a value, or before the day that it names. */
export const isBefore = ({ type, expression }: Operand, text: string): Condition =>
  range(expression, {}, readEnd(type, text, false, true));

/** Whether the field is after a value, or after the day that it names. */
export const isAfter = ({ type, expression }: Operand, text: string): Condition =>
  range(expression, readEnd(type, text, false, false), {});

type End = { bound?: Bound } | 'invalid';

/**
 * Maximum decimal places of the ends of a range. With more of them, an engine compares in a wider type,
 * and fails on rows that do not fit it, even on rows that the reader cannot see.
 */
const fractionDigits: Partial<Record<FieldType, number>> = { integer: 0, decimal: 10 };

/** Reads an end of a range. A fraction with too many digits is rounded toward the inside of the range. */
function readEnd(
  type: FieldType,
  text: string | undefined,
  isIncluded: boolean,
  isLast: boolean,
): End {
  if (text === undefined) return {};
  // The end of a range of integers may have more than 64 bits.
  const value = readValue(type === 'integer' ? 'decimal' : type, text);
  if (value === undefined) return 'invalid';
  const [whole = '', fraction = ''] = value.split('.');
  const maxDigits = fractionDigits[type];
  if (maxDigits === undefined || fraction.length <= maxDigits) {
    // The last microsecond of the day: engines cannot read the day after December 31, 9999.
    const isDay = type === 'datetime' && value.length === 10 && isIncluded === isLast;
    const end = isDay ? `${value}T23:59:59.999999` : value;
    return { bound: { type: typeOf(type, end), value: end, isIncluded } };
  }
  const units = BigInt(whole.replace('-', '') + fraction.slice(0, maxDigits));
  const isNegative = value.startsWith('-');
  // Cutting the digits moves the end toward zero.
  const cut = isNegative === isLast ? units + 1n : units;
  const inside = writeUnits(cut, maxDigits, isNegative);
  return { bound: { type: typeOf(type, inside), value: inside, isIncluded: true } };
}

/** Writes `-1.5` for 15 units of one digit. */
function writeUnits(units: bigint, digits: number, isNegative: boolean): string {
  const text = String(units).padStart(digits + 1, '0');
  const at = text.length - digits;
  const fraction = text.slice(at);
  return `${isNegative && units > 0n ? '-' : ''}${text.slice(0, at)}${fraction && `.${fraction}`}`;
}

const typeOf = (type: FieldType, value: string): FieldType =>
  type === 'integer' && readValue('integer', value) === undefined ? 'decimal' : type;

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

/** Splits `from..to`. One end may be open. Returns `undefined` if the text is not a range. */
export function readRange(type: FieldType, text: string): Ends | undefined {
  const at = hasRanges(type) ? text.indexOf('..') : -1;
  if (at === -1) return undefined;
  const [from, to] = [text.slice(0, at).trim(), text.slice(at + 2).trim()];
  if (from === '' && to === '') return undefined;
  return { from: from || undefined, to: to || undefined };
}

/** Whether the text is a value of the type, or a range of such values. */
export function isReadable(type: FieldType, text: string): boolean {
  const { from, to } = readRange(type, text) ?? { from: text };
  return [readEnd(type, from, true, false), readEnd(type, to, true, true)].every(
    (end) => end !== 'invalid',
  );
}

/** Whether a value has more decimal places than the field can have. See `fractionDigits`. */
const hasManyDigits = (type: FieldType, text: string): boolean =>
  type === 'decimal' &&
  (readValue(type, text)?.split('.')[1]?.length ?? 0) > (fractionDigits[type] ?? Infinity);

/** Whether the field has one of the values or is in one of the ranges `from..to`. */
export function matchesAny(field: Operand, texts: readonly string[]): Condition {
  const ranges = texts
    .map((text) => readRange(field.type, text))
    .filter((ends) => ends !== undefined);
  const values = texts.filter(
    (text) => readRange(field.type, text) === undefined && !hasManyDigits(field.type, text),
  );
  if (values.length + ranges.length === 0) return unknown;
  return anyOf([
    ...(values.length > 0 ? [isIn(field, values)] : []),
    ...ranges.map((ends) => isBetween(field, ends)),
  ]);
}

/**
 * Converts a relative date, such as `last 12 months`, to a range `from..to` of days. Its last period
 * contains the time of the data. Returns other texts unchanged, and `undefined` if the data has no time.
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

import type { FieldType } from '../files/dataset.ts';
import { aggregates, rowFunctions, type Aggregate, type RowFunction } from './tree.ts';

/**
 * What an argument must be. All `same` arguments have a common type. `part`, `digits` and `share` are
 * literals: a period, -15 to 15, and 0 to 1.
 */
export type Parameter =
  | 'any'
  | 'same'
  | 'number'
  | 'text'
  | 'time'
  | 'datetime'
  | 'sortable'
  | 'part'
  | 'digits'
  | 'share';

export interface Signature {
  /** As an author writes it. */
  usage: string;
  parameters: Parameter[];
  /** The fewest arguments. Default: all. */
  atLeast?: number;
  /** The last parameter may be repeated. */
  repeats?: true;
  /** A type, the index of the argument with the type, or `same` for the common type of all arguments. */
  returns: FieldType | number | 'same';
}

export const signatures: Record<RowFunction | Aggregate, Signature> = {
  abs: { usage: 'abs(number)', parameters: ['number'], returns: 0 },
  coalesce: {
    usage: 'coalesce(value, value, …)',
    parameters: ['same', 'same'],
    repeats: true,
    returns: 'same',
  },
  concat: {
    usage: 'concat(text, text, …)',
    parameters: ['text', 'text'],
    repeats: true,
    returns: 'text',
  },
  contains: { usage: 'contains(text, part)', parameters: ['text', 'text'], returns: 'boolean' },
  date_trunc: {
    usage: "date_trunc('month', time)",
    parameters: ['part', 'time'],
    returns: 1,
  },
  day: { usage: 'day(time)', parameters: ['time'], returns: 'integer' },
  ends_with: { usage: 'ends_with(text, end)', parameters: ['text', 'text'], returns: 'boolean' },
  hour: { usage: 'hour(datetime)', parameters: ['datetime'], returns: 'integer' },
  length: { usage: 'length(text)', parameters: ['text'], returns: 'integer' },
  lower: { usage: 'lower(text)', parameters: ['text'], returns: 'text' },
  month: { usage: 'month(time)', parameters: ['time'], returns: 'integer' },
  nullif: { usage: 'nullif(value, value)', parameters: ['same', 'same'], returns: 0 },
  quarter: { usage: 'quarter(time)', parameters: ['time'], returns: 'integer' },
  round: {
    usage: 'round(number, digits)',
    parameters: ['number', 'digits'],
    atLeast: 1,
    returns: 'number',
  },
  starts_with: {
    usage: 'starts_with(text, start)',
    parameters: ['text', 'text'],
    returns: 'boolean',
  },
  upper: { usage: 'upper(text)', parameters: ['text'], returns: 'text' },
  year: { usage: 'year(time)', parameters: ['time'], returns: 'integer' },

  avg: { usage: 'avg(number)', parameters: ['number'], returns: 'number' },
  count: { usage: 'count() or count(value)', parameters: ['any'], atLeast: 0, returns: 'integer' },
  count_distinct: { usage: 'count_distinct(value)', parameters: ['any'], returns: 'integer' },
  max: { usage: 'max(value)', parameters: ['sortable'], returns: 0 },
  median: { usage: 'median(number)', parameters: ['number'], returns: 'number' },
  min: { usage: 'min(value)', parameters: ['sortable'], returns: 0 },
  quantile: {
    usage: 'quantile(number, 0.9)',
    parameters: ['number', 'share'],
    returns: 'number',
  },
  sum: { usage: 'sum(number)', parameters: ['number'], returns: 0 },
};

/** Names in other languages, with the function to use instead. */
const otherNames: Partial<Record<string, string>> = {
  average: 'avg',
  ceiling: 'round',
  countd: 'count_distinct',
  distinctcount: 'count_distinct',
  if: 'case when … then … else … end',
  ifnull: 'coalesce',
  iif: 'case when … then … else … end',
  isnull: 'is null',
  len: 'length',
  mean: 'avg',
  nvl: 'coalesce',
  percentile: 'quantile',
  trunc: 'date_trunc',
};

export const isAggregate = (name: RowFunction | Aggregate): name is Aggregate =>
  (aggregates as readonly string[]).includes(name);

export const isFunction = (name: string): name is RowFunction | Aggregate =>
  Object.hasOwn(signatures, name);

export const functionNames: readonly string[] = [...rowFunctions, ...aggregates];

/** Returns the function that other languages call `name`. */
export const findOtherName = (name: string): string | undefined =>
  Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;

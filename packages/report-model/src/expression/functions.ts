import type { FieldType } from '../files/dataset.ts';
import { aggregates, rowFunctions, type Aggregate, type RowFunction } from './tree.ts';

/**
 * What an argument must be. All `same` arguments have a common type. `count` is a number of characters
 * or the position of one: a literal from 1, or any number.
 */
export type Parameter =
  | 'any'
  | 'same'
  | 'number'
  | 'text'
  | 'time'
  | 'datetime'
  | 'sortable'
  | 'count'
  | 'searched'
  | LiteralParameter;

/** `searched` is a text too, but only a literal is known to be empty. */
type LiteralParameter =
  | 'part'
  | 'unit'
  | 'digits'
  | 'share'
  | 'place'
  | 'replacement'
  | 'delimiter'
  | 'decimal'
  | 'thousands'
  | 'format';

export interface Signature {
  /** As an author writes it. */
  usage: string;
  parameters: Parameter[];
  /** The fewest arguments. Default: all. */
  atLeast?: number;
  /** The last parameter may be repeated. */
  repeats?: true;
  /**
   * A type, the index of the argument with the type, `same` for the common type of all arguments, or
   * `format` for the type of a date format.
   */
  returns: FieldType | number | 'same' | 'format';
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
  date_diff: {
    usage: "date_diff('day', time, time)",
    parameters: ['unit', 'time', 'time'],
    returns: 'integer',
  },
  date_trunc: {
    usage: "date_trunc('month', time)",
    parameters: ['part', 'time'],
    returns: 1,
  },
  day: { usage: 'day(time)', parameters: ['time'], returns: 'integer' },
  ends_with: { usage: 'ends_with(text, end)', parameters: ['text', 'text'], returns: 'boolean' },
  hour: { usage: 'hour(datetime)', parameters: ['datetime'], returns: 'integer' },
  left: { usage: 'left(text, count)', parameters: ['text', 'count'], returns: 'text' },
  length: { usage: 'length(text)', parameters: ['text'], returns: 'integer' },
  lower: { usage: 'lower(text)', parameters: ['text'], returns: 'text' },
  month: { usage: 'month(time)', parameters: ['time'], returns: 'integer' },
  nullif: { usage: 'nullif(value, value)', parameters: ['same', 'same'], returns: 0 },
  quarter: { usage: 'quarter(time)', parameters: ['time'], returns: 'integer' },
  replace: {
    usage: "replace(text, 'old', 'new')",
    parameters: ['text', 'searched', 'replacement'],
    returns: 'text',
  },
  right: { usage: 'right(text, count)', parameters: ['text', 'count'], returns: 'text' },
  round: {
    usage: 'round(number, digits)',
    parameters: ['number', 'digits'],
    atLeast: 1,
    returns: 'number',
  },
  split_part: {
    usage: "split_part(text, '-', 1)",
    parameters: ['text', 'delimiter', 'place'],
    returns: 'text',
  },
  starts_with: {
    usage: 'starts_with(text, start)',
    parameters: ['text', 'text'],
    returns: 'boolean',
  },
  substring: {
    usage: 'substring(text, first, count)',
    parameters: ['text', 'count', 'count'],
    atLeast: 2,
    returns: 'text',
  },
  to_date: {
    usage: "to_date(text, '%d.%m.%Y')",
    parameters: ['text', 'format'],
    returns: 'format',
  },
  to_number: {
    usage: "to_number(text, ',', '.')",
    parameters: ['text', 'decimal', 'thousands'],
    atLeast: 1,
    returns: 'number',
  },
  today: { usage: 'today()', parameters: [], returns: 'date' },
  trim: { usage: 'trim(text)', parameters: ['text'], returns: 'text' },
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
  current_date: 'today',
  datediff: 'date_diff',
  distinctcount: 'count_distinct',
  if: 'case when … then … else … end',
  ifnull: 'coalesce',
  iif: 'case when … then … else … end',
  isnull: 'is null',
  len: 'length',
  mean: 'avg',
  mid: 'substring',
  nvl: 'coalesce',
  percentile: 'quantile',
  split: 'split_part',
  strptime: 'to_date',
  substr: 'substring',
  trunc: 'date_trunc',
  value: 'to_number',
};

export const isAggregate = (name: RowFunction | Aggregate): name is Aggregate =>
  (aggregates as readonly string[]).includes(name);

export const isFunction = (name: string): name is RowFunction | Aggregate =>
  Object.hasOwn(signatures, name);

export const functionNames: readonly string[] = [...rowFunctions, ...aggregates];

/** Returns the function that other languages call `name`. */
export const findOtherName = (name: string): string | undefined =>
  Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;

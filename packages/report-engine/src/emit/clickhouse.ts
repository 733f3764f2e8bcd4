import type { FieldType, Grain } from '@portal-embed/report-model';

import type { ConnectionDialect } from '../connections/connection.ts';
import {
  countMicroseconds,
  isAny,
  isIn,
  isInEach,
  isRowIn,
  literal,
  toKey,
} from './clickhouse-values.ts';
import { countCharacters } from './count-characters.ts';
import type { ColumnType, Comparison, Narrowing } from './dialect.ts';
import { quoteText, readableTexts, readBoolean } from './readable-text.ts';
import { roundHalf } from './round.ts';
import { bind, join, keyword, readLiteral, sql, type Sql } from './sql.ts';
import type { TextTools } from './text-tools.ts';
import { readDate, readFormat } from './to-date.ts';
import { readNumber, readSeparators } from './to-number.ts';
import { whiteSpace } from './white-space.ts';

const types: Record<FieldType, Sql> = {
  text: keyword('Nullable(String)'),
  number: keyword('Nullable(Float64)'),
  integer: keyword('Nullable(Int64)'),
  decimal: keyword('Nullable(Decimal(76, 10))'),
  date: keyword('Nullable(Date32)'),
  datetime: keyword("Nullable(DateTime64(6, 'UTC'))"),
  boolean: keyword('Nullable(Bool)'),
};

/** The type of the values, without the wrappers around it. */
const plainType = (sourceType: string): string =>
  sourceType
    .replace(/^SimpleAggregateFunction\(\w+, (.*)\)$/, '$1')
    .replace(/^LowCardinality\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1');

/** The field type of a ClickHouse type. Types without a field type, such as UUID, are text. */
export function fieldTypeOf(sourceType: string): FieldType {
  const type = plainType(sourceType);
  if (/^(U?Int(8|16|32)|Int64)$/.test(type)) return 'integer';
  if (/^(UInt64|U?Int(128|256)|Decimal.*)$/.test(type)) return 'decimal';
  if (/^B?Float\d+$/.test(type)) return 'number';
  if (type === 'Date' || type === 'Date32') return 'date';
  if (type.startsWith('DateTime')) return 'datetime';
  return type === 'Bool' ? 'boolean' : 'text';
}

/** Types that are compared without a conversion, so that the sorting key can be used. */
const comparable = /^(String|U?Int(8|16|32)|Int64|Bool|Date|Date32|Decimal\((\d|1[0-8]), \d+\))$/;

/** Reads a column's values in the type of `fieldTypeOf`. The functions keep Nullable. */
function readColumn(column: Sql, { name }: ColumnType, timeZone: string): Sql {
  const type = plainType(name);
  if (comparable.test(type)) return column;
  const field = fieldTypeOf(type);
  if (field === 'number') return sql`if(isFinite(${column}), ${double(column)}, NULL)`;
  if (field === 'datetime') return readClock(column, type, timeZone);
  if (field !== 'decimal') return sql`toString(${column})`;
  const [, scale = '0'] = /, (\d+)\)$/.exec(type) ?? [];
  return sql`toDecimal256(${column}, ${keyword(scale)})`;
}

/** Whether times of the type are read as they are stored: in UTC and without nanoseconds. */
const isReadAsStored = (type: string, timeZone: string) =>
  timeZone === 'UTC' && !/^DateTime64\([7-9]/.test(type);

/** The wall clock of a time zone, written as if it were UTC. */
function readClock(column: Sql, type: string, timeZone: string): Sql {
  if (isReadAsStored(type, timeZone)) return sql`toTimeZone(${column}, 'UTC')`;
  const instant = sql`toDateTime64(${column}, 6, 'UTC')`;
  if (timeZone === 'UTC') return instant;
  return sql`addSeconds(${instant}, timezoneOffset(toTimeZone(${column}, ${bind(timeZone)})))`;
}

/** More than the offset of any time zone from UTC, in microseconds. */
const dayMicros = 86_400_000_000;

/** ClickHouse compares columns in nanoseconds only with times from 1678 to 2261. */
const comparableMicros = 8_800_000_000_000_000;

/** A comparison that needs no conversion of the column, so that it can use the sorting key. */
function narrow(
  column: Sql,
  { name }: ColumnType,
  timeZone: string,
  comparison: Comparison,
): Narrowing | undefined {
  const type = plainType(name);
  if (type.startsWith('DateTime'))
    return narrowTimes(column, isReadAsStored(type, timeZone), comparison);
  if (type !== 'UInt64' || !('values' in comparison)) return undefined;
  const condition = narrowIds(column, comparison.values);
  return condition && { condition, isExact: false };
}

function narrowIds(column: Sql, texts: readonly string[]): Sql | undefined {
  const ids = texts.filter((text) => /^\d{1,19}$/.test(text));
  return ids.length === 0 || ids.length < texts.length
    ? undefined
    : isInEach(column, ids, (id) => sql`toUInt64(${id})`);
}

function narrowTimes(
  column: Sql,
  isStored: boolean,
  comparison: Comparison,
): Narrowing | undefined {
  const texts = 'values' in comparison ? comparison.values : [comparison.value];
  const times = texts.map((text) => Number(countMicroseconds(text)));
  const isExact = isStored && 'end' in comparison;
  const margin = isExact ? 0 : dayMicros;
  const [from, to] = [Math.min(...times) - margin, Math.max(...times) + margin];
  if (Math.max(-from, to) > comparableMicros) return undefined;
  const compare = (sign: string, time: number, isIncluded = true) =>
    sql`${column} ${keyword(sign)}${keyword(isIncluded ? '=' : '')} fromUnixTimestamp64Micro(toInt64(${bind(String(time))}), 'UTC')`;
  if ('values' in comparison)
    return { condition: sql`(${compare('>', from)} AND ${compare('<', to)})`, isExact };
  const isIncluded = comparison.isIncluded || !isExact;
  const condition =
    comparison.end === 'from' ? compare('>', from, isIncluded) : compare('<', to, isIncluded);
  return { condition, isExact };
}

/** A list of a Nullable text would be a Nullable list, which does not exist. */
const hasPart: ConnectionDialect['hasPart'] = (text, separator, isWanted) =>
  sql`arrayExists(part -> ${isWanted(keyword('part'))}, splitByString(${bind(separator)}, ifNull(${text}, '')))`;

const periodStarts: Partial<Record<Grain, string>> = {
  year: 'toStartOfYear',
  quarter: 'toStartOfQuarter',
  month: 'toStartOfMonth',
  week: 'toMonday',
};

/** Before 1970, ClickHouse rounds the last fraction of a second of an hour to the next hour. */
const startOf = (value: Sql, grain: Grain): Sql =>
  grain === 'hour'
    ? sql`toStartOfHour(toStartOfSecond(${value}))`
    : sql`${keyword(periodStarts[grain] ?? '')}(toDate32(${value}))`;

const placeNames: Partial<Record<Grain, string>> = {
  'month of year': 'toMonth',
  'day of week': 'toDayOfWeek',
  'hour of day': 'toHour',
};

const named = (name: string) => (values: readonly Sql[]) => sql`${keyword(name)}(${join(values)})`;

/** Returns Int64, because an unsigned or narrow integer may have no common type with another. */
const integer = (name: string) => (values: readonly Sql[]) => sql`toInt64(${named(name)(values)})`;

const double = (value: Sql | undefined) => sql`toFloat64(${value as Sql})`;

/** Null over no rows. ClickHouse's combinator `OrNull` does the same, but adds a third to the time. */
const orNull = (aggregate: Sql) => sql`if(count() = 0, NULL, ${aggregate})`;

const quantile = (value: Sql | undefined, share: number) =>
  orNull(sql`quantileExactInclusive(${keyword(String(share))})(${double(value)})`);

// In names, a backslash escapes the next character.
const quote = (name: string) => keyword(`\`${name.replaceAll(/[\\`]/g, '\\$&')}\``);

function cast(value: Sql, from: FieldType, to: FieldType): Sql {
  if (to === 'text') return sql`toString(${value})`;
  if (from !== 'text') return sql`CAST(${value} AS ${types[to]})`;
  if (to === 'boolean') return readBoolean(value);
  return textReaders[to](tools.extract(value, quoteText(readableTexts[to])));
}

const keepIf = (condition: Sql, value: Sql): Sql => sql`if(${condition}, ${value}, NULL)`;

/** Other years are moved to the ends of 1900 to 2299. */
const keepYear = (time: Sql, text: Sql): Sql =>
  keepIf(sql`toYear(${time}) = toUInt16OrZero(substring(${text}, 1, 4))`, time);

/** Reads a text of `readableTexts`; an empty text is null. */
const textReaders: Record<keyof typeof readableTexts, (text: Sql) => Sql> = {
  integer: (text) => sql`toInt64OrNull(${text})`,
  number: (text) => keepIf(sql`isFinite(toFloat64OrNull(${text}))`, sql`toFloat64OrNull(${text})`),
  decimal: (text) => {
    const rounded = sql`round(toDecimal256OrNull(${text}, 38), 10)`;
    const limit = keyword(`toDecimal256('1${'0'.repeat(28)}', 10)`);
    return keepIf(sql`abs(${rounded}) < ${limit}`, sql`toDecimal256(${rounded}, 10)`);
  },
  date: (text) => keepYear(sql`toDate32OrNull(${text})`, text),
  datetime: (text) => keepYear(sql`parseDateTime64BestEffortOrNull(${text}, 6, 'UTC')`, text),
};

const tools: TextTools = {
  // In texts, a backslash escapes the next character.
  quote: (text) => quoteText(text.replaceAll('\\', '\\\\')),
  bind,
  extract: (value, pattern) => sql`extract(${value}, ${pattern})`,
  rewrite: (value, pattern, template) => sql`replaceRegexpOne(${value}, ${pattern}, ${template})`,
  read: (text, type) => textReaders[type](text),
};

/** A double that is not a number has no integer. */
const countOf = (value: Sql | undefined, type: FieldType | undefined, least: 0 | 1) =>
  countCharacters(value as Sql, type, least, (count) => sql`toInt64(${count})`);

function countPeriods(unit: string, from: Sql, to: Sql): Sql {
  const [first, last] = [from, to].map((time) =>
    unit === 'week' ? startOf(time, 'week') : sql`toDate32(${time})`,
  ) as [Sql, Sql];
  return unit === 'week'
    ? sql`intDiv(dateDiff('day', ${first}, ${last}), 7)`
    : sql`dateDiff(${quoteText(unit)}, ${first}, ${last})`;
}

/** ClickHouse splits no text that may be null. */
const splitPart = ([text, delimiter, place]: readonly Sql[]) =>
  sql`if(isNull(${text as Sql}), NULL, splitByString(${delimiter as Sql}, ifNull(${text as Sql}, ''))[${place as Sql}])`;

const trimmed = `^[${whiteSpace}]+|[${whiteSpace}]+$`;

export const clickhouse: ConnectionDialect = {
  inlinesRows: true,
  narrowsRows: true,
  quote,
  placeholder: (index, value) =>
    `{p${index}:${typeof value === 'string' ? 'String' : 'Array(String)'}}`,
  fieldTypeOf,
  typeOf: (type) => types[type],
  // The line break ends a comment at the end of the SELECT.
  from: (source) =>
    'sql' in source ? keyword(`(${source.sql}\n)`) : join(source.table.split('.').map(quote), '.'),
  readColumn,
  narrow,
  cast,
  literal,
  isIn,
  isRowIn,
  hasPart,
  // IN accepts no column on its right and ignores nulls there.
  isOneOf: (value, others) => isAny(others.map((other) => sql`${value} = ${other}`)),
  sortable: (value) => value,
  key: toKey,
  grouping: named('grouping'),
  startOf: (value, grain) => (grain === 'day' ? sql`toDate32(${value})` : startOf(value, grain)),
  placeOf: (value, grain) => sql`${keyword(placeNames[grain] ?? grain)}(${value})`,
  remainder: (dividend, divisor) => sql`${dividend} % ${divisor}`,
  call: {
    abs: (values, [type]) => (type === 'integer' ? integer('abs') : named('abs'))(values),
    coalesce: named('coalesce'),
    concat: (values) => named('concat')(values.map((value) => sql`ifNull(${value}, '')`)),
    contains: ([text, part]) => sql`(position(${text as Sql}, ${part as Sql}) > 0)`,
    date_diff: ([unit, from, to]) => countPeriods(readLiteral(unit as Sql), from as Sql, to as Sql),
    date_trunc: ([unit, value], [, type = 'date']) => {
      const grain = readLiteral(unit as Sql) as Grain;
      return cast(clickhouse.startOf(value as Sql, grain), 'date', type);
    },
    day: integer('toDayOfMonth'),
    ends_with: named('endsWith'),
    hour: integer('toHour'),
    left: ([text, count], [, type]) =>
      sql`substringUTF8(${text as Sql}, 1, ${countOf(count, type, 0)})`,
    length: integer('lengthUTF8'),
    lower: named('lowerUTF8'),
    month: integer('toMonth'),
    nullif: named('nullIf'),
    quarter: integer('toQuarter'),
    replace: named('replaceAll'),
    right: ([text, count], [, type]) => sql`rightUTF8(${text as Sql}, ${countOf(count, type, 0)})`,
    round: ([value, digits]) => roundHalf(value as Sql, digits),
    split_part: splitPart,
    starts_with: named('startsWith'),
    substring: ([text, first, count], [, ...given]) =>
      sql`substringUTF8(${join([text as Sql, countOf(first, given[0], 1), ...(count ? [countOf(count, given[1], 0)] : [])])})`,
    to_date: ([text, format]) =>
      readDate(tools, text as Sql, readFormat(readLiteral(format as Sql))),
    to_number: ([text, ...separators]) =>
      readNumber(tools, text as Sql, readSeparators(separators)),
    trim: ([text]) => sql`replaceRegexpAll(${text as Sql}, ${bind(trimmed)}, '')`,
    upper: named('upperUTF8'),
    year: integer('toYear'),
  },
  aggregate: {
    avg: ([value]) => orNull(sql`avg(${double(value)})`),
    count: integer('count'),
    count_distinct: ([value], [type = 'text']) => integer('uniqExact')([toKey(value as Sql, type)]),
    max: (values) => orNull(named('max')(values)),
    median: ([value]) => quantile(value, 0.5),
    min: (values) => orNull(named('min')(values)),
    quantile: ([value, share]) => quantile(value, Number(readLiteral(share as Sql))),
    // A sum of 64 bits would overflow without an error.
    sum: ([value], [type]) =>
      orNull(sql`sum(${type === 'integer' ? sql`toInt128(${value as Sql})` : (value as Sql)})`),
  },
};

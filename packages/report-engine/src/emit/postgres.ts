import { maxOrder, type FieldType, type Grain } from '@portal-embed/report-model';

import type { ConnectionDialect, ConnectionSource } from '../connections/connection.ts';
import type { ColumnType, Comparison, Narrowing } from './dialect.ts';
import { chooseFold } from './fold-sigma.ts';
import { quoteText, readableTexts, readBoolean } from './readable-text.ts';
import { bind, join, keyword, sql, type Sql } from './sql.ts';

const types: Record<FieldType, Sql> = {
  text: keyword('text'),
  number: keyword('double precision'),
  integer: keyword('bigint'),
  decimal: keyword('numeric'),
  date: keyword('date'),
  datetime: keyword('timestamp'),
  boolean: keyword('boolean'),
};

/** The field type of a type of `format_type`. Types without a field type, such as uuid, are text. */
export function fieldTypeOf(sourceType: string): FieldType {
  const name = sourceType.replace(/\(.*\)/, '');
  if (['smallint', 'integer', 'bigint'].includes(name)) return 'integer';
  if (name === 'numeric') return 'decimal';
  if (['real', 'double precision'].includes(name)) return 'number';
  if (/^timestamp with(out)? time zone$/.test(name)) return 'datetime';
  return name === 'date' || name === 'boolean' ? name : 'text';
}

/** Types that are compared without a conversion, so that an index can be used. */
const plain = /^(smallint|integer|bigint|boolean|text|character varying(\(\d+\))?)$/;

/** How `describe` of a connection writes an enum: this word, then its labels as JSON. */
export const enumPrefix = 'enum ';

function orderOf(sourceType: string): readonly string[] | undefined {
  if (!sourceType.startsWith(enumPrefix)) return undefined;
  const labels: string[] = JSON.parse(sourceType.slice(enumPrefix.length));
  return labels.length > maxOrder ? undefined : labels;
}

/** Reads a column's values in the type of `fieldTypeOf`. */
function readColumn(column: Sql, { name: sourceType }: ColumnType, timeZone: string): Sql {
  if (plain.test(sourceType)) return column;
  const type = fieldTypeOf(sourceType);
  if (type === 'text') return sql`CAST(${column} AS text)`;
  // PostgreSQL sorts NaN after infinity. A decimal with a precision has no infinities.
  if (type === 'decimal' && sourceType !== 'numeric')
    return sql`CASE WHEN ${column} < 'Infinity' THEN ${column} END`;
  if (type === 'number' || type === 'decimal')
    return sql`CAST(CASE WHEN abs(${column}) < 'Infinity' THEN ${column} END AS ${types[type]})`;
  const value = sourceType.endsWith('with time zone')
    ? sql`timezone(CAST(${bind(timeZone)} AS text), ${column})`
    : column;
  return sql`CASE WHEN isfinite(${column}) THEN ${value} END`;
}

/**
 * Writes a value as PostgreSQL reads it. The year 0 is 1 BC. PostgreSQL refuses NUL, so NUL becomes a
 * noncharacter, which matches no text either.
 */
function writeText(text: string, type: FieldType): string {
  if (type === 'text') return text.replaceAll('\0', '\uFFFF');
  const isTime = type === 'date' || type === 'datetime';
  return isTime && text.startsWith('0000-') ? `0001${text.slice(4)} BC` : text;
}

const literal = (text: string, type: FieldType): Sql =>
  sql`CAST(${bind(writeText(text, type))} AS ${types[type]})`;

/** Letter case of Unicode, independent of the database's locale. */
const unicode = keyword('"und-x-icu"');

const byBytes = (text: Sql): Sql => sql`(${text} COLLATE "C")`;

const lower = (text: Sql): Sql => sql`lower(${text} COLLATE ${unicode})`;

function isIn(value: Sql, texts: readonly string[], type: FieldType, ignoreCase = false): Sql {
  const list = sql`CAST(${bind(texts.map((text) => writeText(text, type)))} AS ${types[type]}[])`;
  if (!ignoreCase) return sql`${value} = ANY (${list})`;
  const foldSigma = chooseFold(texts);
  const fold = (text: Sql) => foldSigma(lower(text));
  return sql`${fold(value)} = ANY (ARRAY(SELECT ${fold(sql`t`)} FROM unnest(${list}) AS t))`;
}

/** Reading a number or time tests it for infinity, and an index cannot be used for that. */
function narrow(
  column: Sql,
  { name: sourceType }: ColumnType,
  timeZone: string,
  comparison: Comparison,
): Narrowing | undefined {
  const type = fieldTypeOf(sourceType);
  if (plain.test(sourceType) || type === 'text') return undefined;
  const hasZone = sourceType.endsWith('with time zone');
  if ('values' in comparison)
    return hasZone
      ? undefined
      : { condition: isIn(column, comparison.values, type), isExact: true };
  const { end, value, isIncluded } = comparison;
  const sign = keyword(`${end === 'from' ? '>' : '<'}${isIncluded ? '=' : ''}`);
  const bound = literal(value, comparison.type);
  if (!hasZone) return { condition: sql`${column} ${sign} ${bound}`, isExact: true };
  // When daylight saving begins or ends, a local time means no instant or two.
  const shift = keyword(end === 'from' ? '-' : '+');
  const instant = sql`timezone(CAST(${bind(timeZone)} AS text), ${bound})`;
  return { condition: sql`${column} ${sign} ${instant} ${shift} interval '1 day'`, isExact: false };
}

/** PostgreSQL 15 has no conversion that returns null for a text that it cannot read. */
function cast(value: Sql, from: FieldType, to: FieldType): Sql {
  if (from !== 'text' || to === 'text') return as(value, to);
  if (to === 'boolean') return readBoolean(value);
  const text = sql`substring(${byBytes(value)} FROM ${quoteText(readableTexts[to])})`;
  if (to === 'date') return as(text, to);
  // Other engines cut what is below a microsecond, and PostgreSQL rounds it.
  if (to === 'datetime') return as(sql`substring(${text} FROM '^[^.]*(?:[.][0-9]{1,6})?')`, to);
  const number = sql`CAST(${text} AS numeric)`;
  if (to === 'integer')
    return sql`CASE WHEN ${number} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN ${as(number, to)} END`;
  if (to === 'decimal')
    return sql`CASE WHEN abs(round(${number}, 10)) < 1e28 THEN ${as(number, to)} END`;
  const size = sql`abs(${number})`;
  return sql`CASE WHEN ${size} < 2.5e-324 THEN 0 WHEN ${size} < 1.7976931348623158e308 THEN ${as(number, to)} END`;
}

const as = (value: Sql, to: FieldType) =>
  sql`CAST(${value} AS ${to === 'decimal' ? keyword('numeric(38, 10)') : types[to]})`;

const placeNames: Partial<Record<Grain, string>> = {
  'month of year': 'month',
  'day of week': 'isodow',
  'hour of day': 'hour',
};

const extract =
  (part: string) =>
  ([value]: readonly Sql[]) =>
    sql`CAST(extract(${keyword(part)} FROM ${value as Sql}) AS bigint)`;

/** Without the cast, `date_trunc` of a date returns a time in the time zone of the session. */
const truncate = (part: Sql, value: Sql, type: FieldType) =>
  sql`CAST(date_trunc(${part}, CAST(${value} AS timestamp)) AS ${types[type]})`;

const double = (value: Sql | undefined) => sql`CAST(${value as Sql} AS double precision)`;

/** Rounds half away from zero. Beyond 2^52 a double has no fraction. */
function round(value: Sql, digits: Sql | undefined): Sql {
  const scale = digits ? sql`pow(${double(sql`10`)}, ${double(digits)})` : double(sql`1`);
  const limit = keyword(String(2 ** 52));
  // Compares with the quotient, because PostgreSQL refuses a product that overflows.
  return sql`CASE WHEN abs(${value}) >= ${limit} / ${scale} THEN ${value} ELSE sign(${value}) * floor(abs(${value}) * ${scale} + 0.5) / ${scale} END`;
}

const named = (name: string) => (values: readonly Sql[]) => sql`${keyword(name)}(${join(values)})`;

/** Changes letter case. The result has the collation of other text, so that both can be combined. */
const changeCase =
  (name: 'lower' | 'upper') =>
  ([value]: readonly Sql[]) =>
    byBytes(sql`${keyword(name)}(${value as Sql} COLLATE ${unicode})`);

const quote = (name: string) => keyword(`"${name.replaceAll('"', '""')}"`);

export const postgres: ConnectionDialect = {
  quote,
  placeholder: (index) => `$${index + 1}`,
  fieldTypeOf,
  orderOf,
  typeOf: (type) => types[type],
  // The line break ends a comment at the end of the SELECT.
  from: (source: ConnectionSource) =>
    'sql' in source ? keyword(`(${source.sql}\n)`) : join(source.table.split('.').map(quote), '.'),
  readColumn,
  narrow,
  cast,
  literal,
  isIn,
  isOneOf: (value, others) => sql`${value} IN (${join(others)})`,
  key: (value) => value,
  sortable: (value, type) => (type === 'text' ? byBytes(value) : value),
  grouping: named('grouping'),
  startOf: (value, grain) => {
    if (grain === 'day') return sql`CAST(${value} AS date)`;
    return truncate(keyword(`'${grain}'`), value, grain === 'hour' ? 'datetime' : 'date');
  },
  placeOf: (value, grain) => extract(placeNames[grain] ?? grain)([value]),
  // PostgreSQL has no modulo for doubles.
  remainder: (dividend, divisor) => sql`${dividend} - ${divisor} * trunc(${dividend} / ${divisor})`,
  call: {
    abs: ([value], [type]) =>
      sql`abs(${type === 'integer' ? sql`CAST(${value as Sql} AS bigint)` : (value as Sql)})`,
    coalesce: named('coalesce'),
    concat: named('concat'),
    contains: ([text, part]) => sql`(strpos(${text as Sql}, ${part as Sql}) > 0)`,
    date_trunc: ([unit, value], [, type = 'date']) => truncate(unit as Sql, value as Sql, type),
    day: extract('day'),
    ends_with: ([text, end]) => sql`(right(${text as Sql}, length(${end as Sql})) = ${end as Sql})`,
    hour: extract('hour'),
    length: ([text]) => sql`CAST(length(${text as Sql}) AS bigint)`,
    lower: changeCase('lower'),
    month: extract('month'),
    nullif: named('nullif'),
    quarter: extract('quarter'),
    round: ([value, digits]) => round(value as Sql, digits),
    starts_with: named('starts_with'),
    upper: changeCase('upper'),
    year: extract('year'),
  },
  aggregate: {
    avg: ([value]) => sql`avg(${double(value)})`,
    count: ([value]) => (value ? sql`count(${value})` : sql`count(*)`),
    count_distinct: ([value]) => sql`count(DISTINCT ${value as Sql})`,
    max: named('max'),
    median: ([value]) => sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${double(value)})`,
    min: named('min'),
    quantile: ([value, share]) =>
      sql`percentile_cont(${double(share)}) WITHIN GROUP (ORDER BY ${double(value)})`,
    sum: named('sum'),
  },
};

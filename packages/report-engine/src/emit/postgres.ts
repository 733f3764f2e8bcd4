import { maxOrder, type FieldType, type Grain } from '@portal-embed/report-model';

import type { ConnectionDialect, ConnectionSource } from '../connections/connection.ts';
import { countCharacters } from './count-characters.ts';
import type { ColumnType, Comparison, Narrowing } from './dialect.ts';
import { chooseFold } from './fold-sigma.ts';
import { quoteText, readableTexts, readBoolean } from './readable-text.ts';
import { bind, join, keyword, readLiteral, sql, type Sql } from './sql.ts';
import type { TextTools } from './text-tools.ts';
import { readDate, readFormat } from './to-date.ts';
import { readNumber, readSeparators } from './to-number.ts';
import { whiteSpace } from './white-space.ts';

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

const list = (texts: readonly string[], type: FieldType): Sql =>
  sql`CAST(${bind(texts.map((text) => writeText(text, type)))} AS ${types[type]}[])`;

/** Maximum length of a list that is compared value by value, so that an index can be used. */
const comparedValues = 100;

function isIn(value: Sql, texts: readonly string[], type: FieldType, ignoreCase = false): Sql {
  if (!ignoreCase) return sql`${value} = ANY (${list(texts, type)})`;
  const foldSigma = chooseFold(texts);
  const fold = (text: Sql) => foldSigma(lower(text));
  const folded = sql`SELECT ${fold(sql`t`)} FROM unnest(${list(texts, type)}) AS t`;
  return texts.length > comparedValues
    ? sql`${fold(value)} IN (${folded})`
    : sql`${fold(value)} = ANY (ARRAY(${folded}))`;
}

function isRowIn(
  values: readonly Sql[],
  columns: readonly (readonly string[])[],
  fieldTypes: readonly FieldType[],
): Sql {
  const lists = columns.map((texts, index) => list(texts, fieldTypes[index] ?? 'text'));
  return sql`(${join(values)}) IN (SELECT * FROM unnest(${join(lists)}))`;
}

/** An empty text has no parts here, and one empty part on other engines. No value is empty. */
const hasPart: ConnectionDialect['hasPart'] = (text, separator, isWanted) =>
  sql`EXISTS (SELECT FROM unnest(string_to_array(${text}, ${literal(separator, 'text')})) AS part WHERE ${isWanted(keyword('part'))})`;

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
  return read(tools.extract(value, quoteText(readableTexts[to])), to);
}

function read(text: Sql, to: keyof typeof readableTexts): Sql {
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

const tools: TextTools = {
  quote: quoteText,
  bind: (text) => literal(text, 'text'),
  extract: (value, pattern) => sql`substring(${byBytes(value)} FROM ${pattern})`,
  rewrite: (value, pattern, template) => sql`regexp_replace(${value}, ${pattern}, ${template})`,
  read,
};

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

const countOf = (value: Sql | undefined, type: FieldType | undefined, least: 0 | 1) =>
  countCharacters(value as Sql, type, least, (count) => sql`CAST(${count} AS integer)`);

/** The number of periods of a time zone's calendar up to a time, from any origin. */
function countUntil(unit: string, time: Sql): Sql {
  const year = extract('year')([time]);
  if (unit === 'year') return year;
  if (unit === 'quarter') return sql`(4 * ${year} + ${extract('quarter')([time])})`;
  if (unit === 'month') return sql`(12 * ${year} + ${extract('month')([time])})`;
  return unit === 'week' ? truncate(sql`'week'`, time, 'date') : sql`CAST(${time} AS date)`;
}

/** PostgreSQL has no `date_diff`. The difference of two dates is a number of days. */
function countPeriods(unit: string, from: Sql, to: Sql): Sql {
  const difference = sql`(${countUntil(unit, to)} - ${countUntil(unit, from)})`;
  return sql`CAST(${unit === 'week' ? sql`${difference} / 7` : difference} AS bigint)`;
}

export const postgres: ConnectionDialect = {
  narrowsRows: true,
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
  isRowIn,
  hasPart,
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
    date_diff: ([unit, from, to]) => countPeriods(readLiteral(unit as Sql), from as Sql, to as Sql),
    date_trunc: ([unit, value], [, type = 'date']) => truncate(unit as Sql, value as Sql, type),
    day: extract('day'),
    ends_with: ([text, end]) => sql`(right(${text as Sql}, length(${end as Sql})) = ${end as Sql})`,
    hour: extract('hour'),
    left: ([text, count], [, type]) => sql`left(${text as Sql}, ${countOf(count, type, 0)})`,
    length: ([text]) => sql`CAST(length(${text as Sql}) AS bigint)`,
    lower: changeCase('lower'),
    month: extract('month'),
    nullif: named('nullif'),
    quarter: extract('quarter'),
    replace: named('replace'),
    right: ([text, count], [, type]) => sql`right(${text as Sql}, ${countOf(count, type, 0)})`,
    round: ([value, digits]) => round(value as Sql, digits),
    split_part: ([text, delimiter, place]) =>
      sql`split_part(${text as Sql}, ${delimiter as Sql}, CAST(${place as Sql} AS integer))`,
    starts_with: named('starts_with'),
    substring: ([text, first, count], [, ...given]) =>
      sql`substring(${join([text as Sql, countOf(first, given[0], 1), ...(count ? [countOf(count, given[1], 0)] : [])])})`,
    to_date: ([text, format]) =>
      readDate(tools, text as Sql, readFormat(readLiteral(format as Sql))),
    to_number: ([text, ...separators]) =>
      readNumber(tools, text as Sql, readSeparators(separators)),
    trim: ([text]) => sql`btrim(${text as Sql}, ${literal(whiteSpace, 'text')})`,
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

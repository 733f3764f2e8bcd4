import type { DateFormat, FieldType, Grain } from '@portal-embed/report-model';

import { countCharacters } from './count-characters.ts';
import type { ColumnType, Dialect } from './dialect.ts';
import { chooseFold } from './fold-sigma.ts';
import { quoteText, readableTexts, readBoolean } from './readable-text.ts';
import { roundHalf } from './round.ts';
import { bind, join, keyword, readLiteral, sql, type Sql } from './sql.ts';
import type { TextTools } from './text-tools.ts';
import { readFormat, writePattern, writeStrptime } from './to-date.ts';
import { readNumber, readSeparators } from './to-number.ts';
import { whiteSpace } from './white-space.ts';

const types: Record<FieldType, Sql> = {
  text: keyword('VARCHAR'),
  number: keyword('DOUBLE'),
  integer: keyword('BIGINT'),
  decimal: keyword('DECIMAL(38, 10)'),
  date: keyword('DATE'),
  datetime: keyword('TIMESTAMP'),
  boolean: keyword('BOOLEAN'),
};

/** The field type of a DuckDB type. Types without a field type, such as lists, become text. */
export function fieldTypeOf(sourceType: string): FieldType {
  if (/^(TINY|SMALL|BIG|UTINY|USMALL|U)?INT(EGER)?$/.test(sourceType)) return 'integer';
  if (/^DECIMAL|^(U?HUGE|UBIG)INT$/.test(sourceType)) return 'decimal';
  if (/^(FLOAT|DOUBLE)$/.test(sourceType)) return 'number';
  if (sourceType === 'DATE') return 'date';
  if (sourceType.startsWith('TIMESTAMP')) return 'datetime';
  return sourceType === 'BOOLEAN' ? 'boolean' : 'text';
}

/** Reads a column's values in the type of `fieldTypeOf`. */
function readColumn(column: Sql, { name, isFinite }: ColumnType, timeZone: string): Sql {
  // The check hides the column from Parquet's statistics and takes a third of a scan.
  const finite = (value: Sql) =>
    isFinite ? value : sql`CASE WHEN isfinite(${column}) THEN ${value} END`;
  switch (name) {
    case 'VARCHAR':
    case 'BIGINT':
    case 'BOOLEAN':
    case 'HUGEINT':
      return column;
    case 'UBIGINT':
    case 'UHUGEINT':
      return sql`CAST(${column} AS HUGEINT)`;
    case 'DATE':
    case 'TIMESTAMP':
    case 'DOUBLE':
      return finite(column);
    case 'TIMESTAMP WITH TIME ZONE':
      return finite(sql`timezone(${bind(timeZone)}, ${column})`);
  }
  if (name.startsWith('DECIMAL')) return column;
  const type = fieldTypeOf(name);
  const value = sql`CAST(${column} AS ${types[type]})`;
  return type === 'number' || type === 'datetime' ? finite(value) : value;
}

/** A query with one row, whose value `cN` says whether the column N has an infinite value. */
export const selectInfinite = (columns: readonly string[]): string =>
  `SELECT ${columns.map((name, index) => `bool_or(NOT isfinite(${quote(name)})) AS c${index}`).join(', ')} FROM dataset`;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A decimal type with just enough digits, so that a comparison with a column does not overflow. */
function decimalTypeOf(texts: readonly string[]): Sql {
  const count = (part: 0 | 1) =>
    Math.max(...texts.map((text) => text.replace('-', '').split('.')[part]?.length ?? 0));
  const scale = count(1);
  return keyword(`DECIMAL(${Math.min(Math.max(count(0) + scale, 1), 38)}, ${Math.min(scale, 38)})`);
}

const typeOfTexts = (texts: readonly string[], type: FieldType): Sql =>
  type === 'decimal' ? decimalTypeOf(texts) : types[type];

function literal(text: string, type: FieldType): Sql {
  return type === 'text' ? bind(text) : sql`CAST(${bind(text)} AS ${typeOfTexts([text], type)})`;
}

/** Maximum length of an inline list. DuckDB joins a subquery by hash, which is faster for more. */
const inlineValues = 16;

/** `lower` writes İ as i, so that e-mails of two users could be equal. */
const lower = (value: Sql): Sql =>
  sql`lower(replace(${value}, ${bind('\u0130')}, ${bind('i\u0307')}))`;

function isIn(value: Sql, texts: readonly string[], type: FieldType, ignoreCase = false): Sql {
  const foldSigma = chooseFold(texts);
  const fold = (each: Sql) => (ignoreCase ? foldSigma(lower(each)) : each);
  return sql`${fold(value)} IN ${list(texts, type, fold)}`;
}

function list(texts: readonly string[], type: FieldType, fold: (value: Sql) => Sql): Sql {
  if (texts.length <= inlineValues)
    return sql`(${join(texts.map((text) => fold(literal(text, type))))})`;
  const value = sql`CAST(unnest(${bind(texts)}) AS ${typeOfTexts(texts, type)})`;
  return sql`(SELECT ${fold(sql`value`)} FROM (SELECT ${value} AS value))`;
}

function isRowIn(
  values: readonly Sql[],
  columns: readonly (readonly string[])[],
  fieldTypes: readonly FieldType[],
): Sql {
  const rows = columns.map((texts, index) => {
    const type = fieldTypes[index] ?? 'text';
    return sql`CAST(unnest(${bind(texts)}) AS ${typeOfTexts(texts, type)})`;
  });
  return sql`(${join(values)}) IN (SELECT ${join(rows)})`;
}

/** DuckDB runs the subquery once for each distinct text. Its list functions compare with each value. */
const hasPart: Dialect['hasPart'] = (text, separator, isWanted) =>
  sql`EXISTS (SELECT 1 FROM (SELECT unnest(string_split(${text}, ${literal(separator, 'text')})) AS part) WHERE ${isWanted(keyword('part'))})`;

function cast(value: Sql, from: FieldType, to: FieldType): Sql {
  if (from !== 'text' || to === 'text') return sql`TRY_CAST(${value} AS ${types[to]})`;
  if (to === 'boolean') return readBoolean(value);
  return read(tools.extract(value, quoteText(readableTexts[to])), to);
}

function read(text: Sql, type: keyof typeof readableTexts): Sql {
  const value = sql`TRY_CAST(${text} AS ${types[type]})`;
  return type === 'number' ? sql`CASE WHEN isfinite(${value}) THEN ${value} END` : value;
}

const tools: TextTools = {
  quote: quoteText,
  bind,
  extract: (value, pattern) => sql`regexp_extract(${value}, ${pattern}, 1)`,
  rewrite: (value, pattern, template) => sql`regexp_replace(${value}, ${pattern}, ${template})`,
  read,
};

const placeNames: Partial<Record<Grain, string>> = {
  'month of year': 'month',
  'day of week': 'isodow',
  'hour of day': 'hour',
};

const part =
  (name: string) =>
  ([value]: readonly Sql[]) =>
    sql`${keyword(name)}(${value as Sql})`;

const named = (name: string) => (values: readonly Sql[]) => sql`${keyword(name)}(${join(values)})`;

const double = (value: Sql | undefined) => sql`CAST(${value as Sql} AS DOUBLE)`;

/** Keeps integers, which DuckDB adds and sorts faster. Their means and quantiles are doubles. */
const unlessInteger = (value: Sql | undefined, type: FieldType | undefined) =>
  type === 'integer' ? (value as Sql) : double(value);

const countOf = (value: Sql | undefined, type: FieldType | undefined, least: 0 | 1) =>
  countCharacters(value as Sql, type, least, (count) => sql`CAST(${count} AS BIGINT)`);

const startOfWeek = (time: Sql) => sql`CAST(date_trunc('week', ${time}) AS DATE)`;

/** DuckDB counts weeks that begin on the day of the week of 1970-01-01. */
const countPeriods = (unit: string, from: Sql, to: Sql): Sql =>
  unit === 'week'
    ? sql`((${startOfWeek(to)} - ${startOfWeek(from)}) // 7)`
    : sql`date_diff(${quoteText(unit)}, ${from}, ${to})`;

/** `try_strptime` reads more texts than the pattern of the format. */
function readDate(text: Sql, format: DateFormat): Sql {
  const written = tools.extract(text, bind(writePattern(format)));
  return sql`CAST(try_strptime(${written}, ${bind(writeStrptime(format))}) AS ${types[format.type]})`;
}

export const duckdb: Dialect = {
  quote: (name) => keyword(quote(name)),
  placeholder: (index) => `$${index + 1}`,
  fieldTypeOf,
  typeOf: (type) => types[type],
  readColumn,
  cast,
  // A comparison converts both sides to a decimal that may have too few digits for a stored value.
  failingTypes: new Set<FieldType>(['decimal']),
  literal,
  isIn,
  isRowIn,
  hasPart,
  isOneOf: (value, others) => sql`${value} IN (${join(others)})`,
  sortable: (value) => value,
  key: (value) => value,
  grouping: named('grouping'),
  startOf: (value, grain) => {
    if (grain === 'day') return sql`CAST(${value} AS DATE)`;
    const type = grain === 'hour' ? types.datetime : types.date;
    return sql`CAST(date_trunc('${keyword(grain)}', ${value}) AS ${type})`;
  },
  placeOf: (value, grain) => sql`${keyword(placeNames[grain] ?? grain)}(${value})`,
  remainder: (dividend, divisor) => sql`${dividend} % ${divisor}`,
  call: {
    abs: named('abs'),
    coalesce: named('coalesce'),
    concat: named('concat'),
    contains: named('contains'),
    date_diff: ([unit, from, to]) => countPeriods(readLiteral(unit as Sql), from as Sql, to as Sql),
    date_trunc: ([unit, value], [, type = 'date']) =>
      sql`CAST(date_trunc(${unit as Sql}, ${value as Sql}) AS ${types[type]})`,
    day: part('day'),
    ends_with: named('ends_with'),
    hour: part('hour'),
    left: ([text, count], [, type]) =>
      sql`substring(${text as Sql}, 1, ${countOf(count, type, 0)})`,
    length: part('length'),
    lower: part('lower'),
    month: part('month'),
    nullif: named('nullif'),
    quarter: part('quarter'),
    replace: named('replace'),
    right: ([text, count], [, type]) => sql`right(${text as Sql}, ${countOf(count, type, 0)})`,
    round: ([value, digits]) => roundHalf(value as Sql, digits),
    split_part: named('split_part'),
    starts_with: named('starts_with'),
    substring: ([text, first, count], [, ...given]) =>
      sql`substring(${join([text as Sql, countOf(first, given[0], 1), ...(count ? [countOf(count, given[1], 0)] : [])])})`,
    to_date: ([text, format]) => readDate(text as Sql, readFormat(readLiteral(format as Sql))),
    to_number: ([text, ...separators]) =>
      readNumber(tools, text as Sql, readSeparators(separators)),
    trim: ([text]) => sql`trim(${text as Sql}, ${bind(whiteSpace)})`,
    upper: part('upper'),
    year: part('year'),
  },
  aggregate: {
    avg: ([value], [type]) => sql`avg(${unlessInteger(value, type)})`,
    count: ([value]) => (value ? sql`count(${value})` : sql`count(*)`),
    count_distinct: ([value]) => sql`count(DISTINCT ${value as Sql})`,
    max: part('max'),
    median: ([value], [type]) => sql`median(${unlessInteger(value, type)})`,
    min: part('min'),
    quantile: ([value, share], [type]) =>
      sql`quantile_cont(${unlessInteger(value, type)}, ${double(share)})`,
    sum: part('sum'),
  },
};

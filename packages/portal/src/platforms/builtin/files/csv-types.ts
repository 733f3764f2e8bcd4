import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import type { FileHint } from './tasks.ts';

/** Recognizes and reads the values of one type. `v` is SQL for the text of one value. */
export interface Form {
  type: FieldType;
  /** SQL: whether `v` is a value of the type. */
  matches: (v: string) => string;
  /** SQL: the value. */
  value: (v: string) => string;
}

export const quoteText = (value: string) => `'${value.replaceAll("'", "''")}'`;
const escape = (character: string) => (/\s/.test(character) ? character : `\\${character}`);
const fits = (v: string, pattern: string) => `regexp_full_match(${v}, ${quoteText(pattern)})`;

const isoDate = '\\d{4}-\\d{2}-\\d{2}';
const isoTime = '[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?';

/** Returns the types that a column can have, the most specific first. The fallback is `text`. */
export function listForms(csv: CsvOptions): Form[] {
  const { decimal, thousands, date } = csv;
  const groups = thousands ? `|[1-9]\\d{0,2}(${escape(thousands)}\\d{3})+` : '';
  // A number with leading zeros is a code, such as a postal code.
  const whole = `[-+]?(0|[1-9]\\d*${groups})`;
  const fraction = `${escape(decimal)}\\d+`;
  const number = `${whole}(${fraction})?([eE][-+]?\\d{1,3})?|[-+]?${fraction}`;
  const toInteger = (v: string) => `TRY_CAST(${removeGroups(csv, v)} AS BIGINT)`;
  const toNumber = (v: string) => `TRY_CAST(${normalize(csv, v)} AS DOUBLE)`;
  return [
    {
      type: 'boolean',
      matches: (v) => `lower(${v}) IN ('true', 'false')`,
      value: (v) => `TRY_CAST(${v} AS BOOLEAN)`,
    },
    {
      type: 'integer',
      matches: (v) => `${fits(v, whole)} AND ${toInteger(v)} IS NOT NULL`,
      value: toInteger,
    },
    {
      type: 'number',
      matches: (v) => `${fits(v, number)} AND isfinite(${toNumber(v)})`,
      value: toNumber,
    },
    ...(date === undefined ? [] : listDateForms(date)),
    {
      type: 'date',
      matches: (v) => `${fits(v, isoDate)} AND ${toDate(v)} IS NOT NULL`,
      value: toDate,
    },
    {
      type: 'datetime',
      matches: (v) => `${fits(v, isoDate + isoTime)} AND ${toTime(v)} IS NOT NULL`,
      value: toTime,
    },
  ];
}

const toDate = (v: string) => `TRY_CAST(${v} AS DATE)`;
const toTime = (v: string) => `TRY_CAST(${v} AS TIMESTAMP)`;

const removeGroups = ({ thousands }: CsvOptions, v: string) =>
  thousands ? `replace(${v}, ${quoteText(thousands)}, '')` : v;

/** SQL: the number with a decimal point and without groups. */
const normalize = (csv: CsvOptions, v: string) =>
  csv.decimal === '.' ? removeGroups(csv, v) : `replace(${removeGroups(csv, v)}, ',', '.')`;

const parseTime = (formats: string[], v: string) =>
  `try_strptime(${v}, [${formats.map(quoteText).join(', ')}])`;

/** Dates in the declared format, with or without a time. */
function listDateForms(format: string): Form[] {
  if (/%[HIMSpfgXc]/.test(format)) return [createTimeForm('datetime', [format])];
  const withTime = [`${format} %H:%M`, `${format} %H:%M:%S`];
  return [createTimeForm('date', [format]), createTimeForm('datetime', withTime)];
}

const createTimeForm = (type: 'date' | 'datetime', formats: string[]): Form => ({
  type,
  matches: (v) => `${parseTime(formats, v)} IS NOT NULL`,
  value: (v) => `CAST(${parseTime(formats, v)} AS ${type === 'date' ? 'DATE' : 'TIMESTAMP'})`,
});

/** Returns how the values of a declared type are read. */
export function createDeclaredForm(type: Exclude<FieldType, 'text'>, csv: CsvOptions): Form {
  const forms = listForms(csv).filter(
    (form) =>
      form.type === type ||
      (type === 'decimal' && form.type === 'number') ||
      // A date is read as its midnight.
      (type === 'datetime' && form.type === 'date'),
  );
  const convert = (form: Form, v: string) =>
    type === 'decimal' ? toDecimal(csv, v) : `CAST(${form.value(v)} AS ${storedTypes[type]})`;
  return {
    type,
    matches: (v) =>
      forms.map((form) => `(${form.matches(v)} AND ${convert(form, v)} IS NOT NULL)`).join(' OR '),
    value: (v) => `coalesce(${forms.map((form) => convert(form, v)).join(', ')})`,
  };
}

/** A value of a declared type, for an author whose file has another one. */
export function describeDeclared(
  type: Exclude<FieldType, 'text'>,
  { decimal, thousands, date }: CsvOptions,
): string {
  const thousand = `1${thousands ?? ''}234`;
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number such as ${thousand}`;
    case 'number':
    case 'decimal':
      return `a number such as ${thousand}${decimal}5`;
    case 'date':
      return date === undefined ? 'a date such as 2024-12-31' : `a date in the format ${date}`;
    case 'datetime':
      return date === undefined
        ? 'a date with a time such as 2024-12-31 18:30'
        : `a date in the format ${date}, perhaps with a time such as 18:30`;
    default:
      return forbid(type);
  }
}

const forbid = (type: never): never => {
  throw new Error(`There is no type ${String(type)}.`);
};

const storedTypes = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
};

const toDecimal = (csv: CsvOptions, v: string) =>
  `TRY_CAST(${normalize(csv, v)} AS DECIMAL(38, 10))`;

/** Statistics about the values of a text column. */
export interface Appearance {
  /** Values that are not empty. */
  values: number;
  /** Values that are numbers if the comma is the decimal separator, including whole numbers. */
  commas: number;
  /** Those of them with a point as the thousands separator. */
  points: number;
  /** Dates such as 31.12.2024, 31/12/2024 or 31-12-2024. */
  dates: number;
  /** The largest first number and the largest second number of these dates. */
  first: number;
  second: number;
  /** An example of such a number or date. */
  sample: string | null;
}

/** SQL for each property of an `Appearance`. */
export function aggregateAppearance(v: string): Record<keyof Appearance, string> {
  const comma = fits(v, '[-+]?\\d{1,3}(\\.\\d{3})+(,\\d+)?|[-+]?\\d+(,\\d+)?');
  const date = fits(v, '\\d{1,2}[./-]\\d{1,2}[./-]\\d{4}');
  const part = (index: number) =>
    `coalesce(max(TRY_CAST(regexp_extract(${v}, '^(\\d{1,2})[./-](\\d{1,2})[./-]\\d{4}$', ${index}) AS INTEGER)), 0)`;
  return {
    values: `count(${v})`,
    commas: `count(*) FILTER (${comma})`,
    points: `count(*) FILTER (${comma} AND contains(${v}, '.'))`,
    dates: `count(*) FILTER (${date})`,
    first: part(1),
    second: part(2),
    sample: `max(${v}) FILTER (${comma} AND contains(${v}, ',') OR ${date})`,
  };
}

/** Says which options a text column probably needs. */
export function describeAppearance(
  name: string,
  appearance: Appearance,
  csv: CsvOptions,
): FileHint | undefined {
  const { values, commas, points, dates, first, second, sample } = appearance;
  if (values === 0 || sample === null) return undefined;
  const column = `column "${name}" is text, but its values look like`;
  if (commas === values && csv.decimal === '.')
    return {
      message: `${column} numbers with a decimal comma (${sample}); write decimal: ","${points > 0 ? ' and thousands: "."' : ''} under csv`,
      csv: { decimal: ',', ...(points > 0 && { thousands: '.' }) },
    };
  if (dates !== values || csv.date !== undefined) return undefined;
  const separator = /[./-]/.exec(sample)?.[0] ?? '.';
  const dayFirst = ['%d', '%m', '%Y'].join(separator);
  const monthFirst = ['%m', '%d', '%Y'].join(separator);
  if (first <= 12 && second <= 12)
    return {
      message: `${column} dates, and day and month are ambiguous (${sample}); write date: "${dayFirst}" or date: "${monthFirst}" under csv`,
      csv: {},
    };
  const date = first > 12 ? dayFirst : monthFirst;
  return {
    message: `${column} dates (${sample}); write date: "${date}" under csv`,
    csv: { date },
  };
}

import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import { isDouble, isNumber, isWhole, toDecimal, toDouble, toInteger } from './csv-numbers.ts';
import { fits, quoteText } from './csv-sql.ts';

/** Recognizes and reads the values of one type. `v` is SQL for the text of one value. */
export interface Form {
  type: FieldType;
  /** SQL: whether `v` is a value of the type. */
  matches: (v: string) => string;
  /** SQL: the value. */
  value: (v: string) => string;
}

const isoDate = '\\d{4}-\\d{2}-\\d{2}';
const isoTime = '[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?';

/** Returns the types that a column can have, the most specific first. The fallback is `text`. */
export function listForms(csv: CsvOptions): Form[] {
  const { date } = csv;
  return [
    {
      type: 'boolean',
      matches: (v) => `lower(${v}) IN ('true', 'false')`,
      value: (v) => `TRY_CAST(${v} AS BOOLEAN)`,
    },
    {
      type: 'integer',
      matches: (v) => `${isWhole(csv, v)} AND ${toInteger(csv, v)} IS NOT NULL`,
      value: (v) => toInteger(csv, v),
    },
    {
      type: 'number',
      matches: (v) => isNumber(csv, v),
      value: (v) => toDouble(csv, v),
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

/** Like `listForms`, for a column without a declared type: it is text if a double rounds a value. */
export const listInferredForms = (csv: CsvOptions): Form[] =>
  listForms(csv).map(({ type, matches, value }) => ({
    type,
    matches: type === 'number' ? (v) => isDouble(csv, v) : matches,
    value,
  }));

/** Like `createDeclaredForm`, for a type that another file gives: numbers are not rounded. */
export function createWidenedForm(type: Exclude<FieldType, 'text'>, csv: CsvOptions): Form {
  const form = createDeclaredForm(type, csv);
  return type === 'number' ? { ...form, matches: (v) => isDouble(csv, v) } : form;
}

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
  { decimal = '.', thousands, date }: CsvOptions,
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
  throw new Error(`Unknown type ${String(type)}.`);
};

const storedTypes = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
};

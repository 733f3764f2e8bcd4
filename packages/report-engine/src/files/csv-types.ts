import type { CsvOptions, FieldOptions, FieldType } from '@portal-embed/report-model';

import { hasClock, listDateForms, listPlainDateForms, type DateReading } from './csv-dates.ts';
import { isDouble, isNumber, isWhole, toDecimal, toDouble, toInteger } from './csv-numbers.ts';
import { readSigned, type Signs } from './csv-signs.ts';
import { fits } from './csv-sql.ts';

/** Recognizes and reads the values of one type. `v` is SQL for the text of one value. */
export interface Form {
  type: FieldType;
  /** SQL: whether `v` is a value of the type. */
  matches: (v: string) => string;
  /** SQL: the value. */
  value: (v: string) => string;
  /** Whether earlier conversions did not read the values so. */
  isNew?: boolean;
}

/** The conversion that reads new forms first. */
export const newSince = 3;

const isoDate = '\\d{4}-\\d{2}-\\d{2}';
const isoTime = '[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?';

/** How the dates of a column are read; `undefined` if they are ISO 8601. */
export function readingOf(csv: CsvOptions, field: FieldOptions = {}): DateReading | undefined {
  const date = field.date ?? csv.date;
  return date === undefined ? undefined : { date, yearsFrom: field.yearsFrom ?? csv.yearsFrom };
}

/** Returns the types that a column can have, the most specific first. The fallback is `text`. */
function listForms(csv: CsvOptions): Form[] {
  const reading = readingOf(csv);
  const dates = reading ? listPlainDateForms(reading) : [];
  // Such dates are also whole numbers.
  const areDigits = reading?.date.startsWith('%Y%m%d') ?? false;
  return [
    ...(areDigits ? dates.map((form) => ({ ...form, isNew: true })) : []),
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
    ...dates,
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

/** Like `listForms`, for a column without a declared type: it is text if a double rounds a value. */
export const listInferredForms = (csv: CsvOptions): Form[] =>
  listForms(csv).map((form) =>
    form.type === 'number'
      ? { type: form.type, matches: (v) => isDouble(csv, v), value: form.value }
      : form,
  );

/** Like `createDeclaredForm`, for a type that another file gives: numbers are not rounded. */
export function createWidenedForm(type: Exclude<FieldType, 'text'>, csv: CsvOptions): Form {
  const form = createDeclaredForm(type, csv);
  return type === 'number' ? { ...form, matches: (v) => isDouble(csv, v) } : form;
}

/** Returns how the values of a declared type are read. */
export function createDeclaredForm(
  type: Exclude<FieldType, 'text'>,
  csv: CsvOptions,
  { field = {}, signs }: { field?: FieldOptions; signs?: Signs } = {},
): Form {
  if (signs && isNumericType(type)) return createSignedForm(type, csv, signs);
  const reading = readingOf(csv, field);
  const dates = reading ? listDateForms(reading) : [];
  const known = field.date === undefined ? [...listForms(csv), ...dates] : dates;
  const forms = known.filter(
    (form) =>
      form.type === type ||
      (type === 'decimal' && form.type === 'number') ||
      // A date is read as its midnight.
      (type === 'datetime' && form.type === 'date') ||
      // The format of the field has a time.
      (type === 'date' && form.type === 'datetime' && hasClock(field.date ?? '')),
  );
  const convert = (form: Form, v: string) =>
    type === 'decimal' ? toDecimal(csv, v) : `CAST(${form.value(v)} AS ${storedTypes[type]})`;
  return {
    type,
    matches: (v) =>
      forms.map((form) => `(${form.matches(v)} AND ${convert(form, v)} IS NOT NULL)`).join(' OR '),
    // A date would be read from a text with a time, which would be lost.
    value: (v) =>
      `CASE ${forms.map((form) => `WHEN ${form.matches(v)} THEN ${convert(form, v)}`).join(' ')} END`,
  };
}

const isNumericType = (type: FieldType): type is 'integer' | 'number' | 'decimal' =>
  type === 'integer' || type === 'number' || type === 'decimal';

/** Numbers with the signs of a column, in a declared type. */
function createSignedForm(
  type: 'integer' | 'number' | 'decimal',
  csv: CsvOptions,
  signs: Signs,
): Form {
  const numbers = readSigned(csv, signs);
  const value = {
    integer: numbers.toInteger,
    number: numbers.toDouble,
    decimal: (v: string) => toDecimal({}, numbers.toText(v)),
  }[type];
  const isOfType = type === 'integer' ? (v: string) => ` AND ${numbers.isWhole(v)}` : () => '';
  return {
    type,
    matches: (v) => `${numbers.matches(v)}${isOfType(v)} AND ${value(v)} IS NOT NULL`,
    value,
  };
}

/** A value of a declared type, for an author whose file has another one. */
export function describeDeclared(
  type: Exclude<FieldType, 'text'>,
  { decimal = '.', thousands, ...csv }: CsvOptions,
  field: FieldOptions = {},
): string {
  const date = field.date ?? csv.date;
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

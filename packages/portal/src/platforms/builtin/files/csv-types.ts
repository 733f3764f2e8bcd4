import type { CsvOptions, FieldType } from '@portal-embed/report-model';

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
/** SQL: whether the whole value matches the pattern. */
export const fits = (v: string, pattern: string) =>
  `regexp_full_match(${v}, ${quoteText(pattern)})`;

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
  throw new Error(`Unknown type ${String(type)}.`);
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

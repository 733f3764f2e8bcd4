import type { CsvOptions, FieldType } from '@portal-embed/report-model';

import { guessNumbers } from './csv-number-hints.ts';
import {
  commaReading,
  hasBothReadings,
  isNumber,
  isRounded,
  isSeparated,
  pointReading,
} from './csv-numbers.ts';
import { fits } from './csv-sql.ts';
import type { Form } from './csv-types.ts';

/** Statistics about the values of a text column. */
export interface Appearance {
  /** Values that are not empty. */
  values: number;
  /** Numbers if the point is the decimal separator and the comma separates thousands. */
  points: number;
  /** Those of them with a comma. */
  pointGroups: number;
  /** Numbers if the comma is the decimal separator and the point separates thousands. */
  commas: number;
  /** Those of them with a point. */
  commaGroups: number;
  /** Numbers in both of these readings. */
  both: number;
  /** Those of them with a point or a comma. */
  separated: number;
  /** Numbers with more digits than a double holds. */
  rounded: number;
  /** Numbers with a sign such as € or %. */
  signs: number;
  /** Dates such as 31.12.2024, 31/12/2024 or 31-12-2024. */
  dates: number;
  /** The largest first number and the largest second number of these dates. */
  first: number;
  second: number;
  /** An example of each. */
  point: string | null;
  comma: string | null;
  long: string | null;
  sign: string | null;
  date: string | null;
}

/** The properties of an `Appearance` that are examples. */
export const examples: ReadonlySet<string> = new Set(['point', 'comma', 'long', 'sign', 'date']);

const gap = '[ \\x{00a0}\\x{202f}]?';
const signs = '(\\p{Sc}|%|EUR|USD|CHF|GBP)';
const amount = "[-+]?\\d[\\d.,' \\x{00a0}\\x{202f}]*";

const countIf = (condition: string) => `count(*) FILTER (${condition})`;

/** SQL for each property of an `Appearance`. */
export function aggregateAppearance(v: string, csv: CsvOptions): Record<keyof Appearance, string> {
  const point = isNumber(pointReading, v);
  const comma = isNumber(commaReading, v);
  const long = `${isNumber(csv, v)} AND ${isRounded(csv, v)}`;
  const sign = fits(v, `${signs}${gap}${amount}|[-+]${signs}${gap}${amount}|${amount}${signs}`);
  const date = fits(v, '\\d{1,2}[./-]\\d{1,2}[./-]\\d{4}');
  const part = (index: number) =>
    `coalesce(max(TRY_CAST(regexp_extract(${v}, '^(\\d{1,2})[./-](\\d{1,2})[./-]\\d{4}$', ${index}) AS INTEGER)), 0)`;
  const largest = (condition: string) => `max(${v}) FILTER (${condition})`;
  /** An example that preferably has one separator. */
  const example = (condition: string, wanted: string) =>
    `coalesce(${largest(`${condition} AND contains(${v}, '${wanted}')`)},
      ${largest(`${condition} AND ${isSeparated(v)}`)})`;
  return {
    values: `count(${v})`,
    points: countIf(point),
    pointGroups: countIf(`${point} AND contains(${v}, ',')`),
    commas: countIf(comma),
    commaGroups: countIf(`${comma} AND contains(${v}, '.')`),
    both: countIf(hasBothReadings(v)),
    separated: countIf(`${hasBothReadings(v)} AND ${isSeparated(v)}`),
    rounded: countIf(long),
    signs: countIf(sign),
    dates: countIf(date),
    first: part(1),
    second: part(2),
    point: example(point, ','),
    comma: example(comma, ','),
    long: largest(long),
    sign: largest(sign),
    date: largest(date),
  };
}

/** What most values of a text column are. */
export interface Guess {
  type: Exclude<FieldType, 'text'>;
  /** Number of values in the sample that are of the type. */
  count: number;
  /** Options that probably read them correctly. */
  csv: Partial<CsvOptions>;
  /** The options with which the values can be checked. Absent if none read them. */
  check?: Partial<CsvOptions>;
  /** Such as `numbers with a decimal comma (1,5); write decimal: "," under csv`. */
  advice?: string;
}

/** Whether so few values differ that they are probably mistakes. */
export const isNearly = (count: number, values: number): boolean =>
  count >= 2 && values - count <= Math.max(1, values / 20);

/** Guesses the type of a text column from a sample of its values. */
export function guessType(
  appearance: Appearance,
  forms: readonly { form: Form; count: number }[],
  csv: CsvOptions,
): Guess | undefined {
  const guesses = [
    ...guessNumbers(appearance, csv),
    ...forms.map(({ form: { type }, count }): Guess => ({
      type: type as Guess['type'],
      count,
      csv: {},
      check: {},
    })),
    ...guessDates(appearance, csv),
    ...guessSigns(appearance),
    ...guessLong(appearance, forms),
  ];
  const [best] = guesses.toSorted((one, other) => other.count - one.count);
  return best && isNearly(best.count, appearance.values) ? best : undefined;
}

function guessDates({ date, dates, first, second }: Appearance, csv: CsvOptions): Guess[] {
  if (date === null) return [];
  const separator = /[./-]/.exec(date)![0];
  const dayFirst = ['%d', '%m', '%Y'].join(separator);
  const monthFirst = ['%m', '%d', '%Y'].join(separator);
  const guess = { type: 'date', count: dates } as const;
  if (first <= 12 && second <= 12)
    return [
      {
        ...guess,
        csv: {},
        check: { date: dayFirst },
        advice: `dates, and day and month are ambiguous (${date}); write date: "${dayFirst}" or date: "${monthFirst}" under csv`,
      },
    ];
  const format = first > 12 ? dayFirst : monthFirst;
  const instead = csv.date === undefined ? '' : ` instead of "${csv.date}"`;
  return [
    {
      ...guess,
      csv: { date: format },
      check: { date: format },
      advice: `dates (${date}); write date: "${format}"${instead} under csv`,
    },
  ];
}

const guessSigns = ({ sign, signs: count }: Appearance): Guess[] =>
  sign === null
    ? []
    : [
        {
          type: 'number',
          count,
          csv: {},
          advice: `numbers with a sign (${sign}); write them without it`,
        },
      ];

/** Digits that are probably ids, or numbers of a size that only a decimal holds. */
const guessLong = (
  { long, rounded }: Appearance,
  forms: readonly { form: Form; count: number }[],
): Guess[] =>
  long === null
    ? []
    : [
        {
          type: 'decimal',
          count: rounded + (forms.find(({ form }) => form.type === 'number')?.count ?? 0),
          csv: {},
          check: {},
          advice: `numbers with too many digits for an integer or a double (${long}); give the field type: decimal to calculate with them, or type: text`,
        },
      ];

/** Values that are not of the guessed type. */
export interface Misfits {
  count: number;
  /** The place of the first one, such as `line 5`. */
  place: string;
  value: string;
}

const plurals: Record<Guess['type'], string> = {
  boolean: 'true or false',
  integer: 'whole numbers',
  number: 'numbers',
  decimal: 'numbers',
  date: 'dates',
  datetime: 'dates with a time',
};

/** Says what to do about a column that is probably read in the wrong type. */
export function describeGuess(
  name: string,
  { type, advice }: Guess,
  misfits: Misfits | undefined,
): string {
  const column = `column "${name}" is text`;
  if (!misfits) return `${column}, but its values look like ${advice ?? plurals[type]}`;
  const { count, place, value } = misfits;
  const odd =
    count === 1 ? `"${value}" in ${place}` : `${count} values, such as "${value}" in ${place}`;
  return advice === undefined
    ? `${column} because of ${odd}; the other values are ${plurals[type]}; correct the file, or give the field type: text`
    : `${column}, but most values look like ${advice}, and correct ${odd}`;
}

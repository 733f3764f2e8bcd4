import { spell } from './csv-signs.ts';
import { fits, quoteText } from './csv-sql.ts';
import type { Form } from './csv-types.ts';

/** How dates are read. */
export interface DateReading {
  /** With strptime placeholders. */
  date: string;
  /** The first of the hundred years of two-digit years. */
  yearsFrom?: number | undefined;
}

/** The first year of two-digit years, as POSIX has it: 68 is 2068, and 69 is 1969. */
export const defaultYearsFrom = 1969;

const english = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const isShort = (names: readonly string[], text: string) =>
  names.some((name) => name.slice(0, 3) === text.toLowerCase());
const isLong = (names: readonly string[], text: string) => names.includes(text.toLowerCase());

/** The placeholder of an English name of a month; `undefined` for another text. */
function monthOf(text: string): string | undefined {
  if (isShort(english, text) || /^sept$/i.test(text)) return '%b';
  return isLong(english, text) ? '%B' : undefined;
}

const clock = /(?:T|,? )\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.? ?m\.?)?$/i;

/** A time with points, or in German. */
const oddClock = / \d{1,2}(?:\.\d{2}(?:\.\d{2})?(?: Uhr)?|:\d{2}(?::\d{2})? Uhr)$/;

/** The formats in which a text is probably a date, perhaps with a time. A usual time is not part of them. */
export function listDateFormats(text: string): string[] {
  const [weekday = ''] = /^[a-z]{3,9},? (?=[a-z\d])/i.exec(text) ?? [];
  const name = /[a-z]+/i.exec(weekday)?.[0] ?? '';
  const prefix = isShort(days, name) ? '%a' : isLong(days, name) ? '%A' : '';
  const rest = prefix ? text.slice(weekday.length) : text;
  const start = prefix && weekday.replace(name, prefix);
  // Such a time is part of the format.
  const [odd = ''] = oddClock.exec(rest) ?? [];
  const end = odd.replace(/\d+/, '%H').replace(/\d+/, '%M').replace(/\d+/, '%S');
  const day = rest.slice(0, rest.length - odd.length).replace(clock, '');
  return [...listNumericFormats(day), ...listNamedFormats(day)].map(
    (format) => start + format + end,
  );
}

function listNumericFormats(text: string): string[] {
  const [, one = '', separator = '', , three = ''] =
    /^(\d{1,4})([./-]|\. )(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
  const join = (...parts: string[]) => parts.join(separator);
  if (one.length === 4 && three.length <= 2) return [join('%Y', '%m', '%d')];
  if (one.length > 2) return [];
  if (three.length === 4) return [join('%d', '%m', '%Y'), join('%m', '%d', '%Y')];
  if (three.length === 2)
    return [join('%d', '%m', '%y'), join('%m', '%d', '%y'), join('%y', '%m', '%d')];
  const [, year, middle = '', month] = /^(\d{4})([./-])\d{2}$/.exec(text)
    ? [text, '%Y', text[4]!, '%m']
    : /^(\d{2})([./-])\d{4}$/.exec(text)
      ? [text, '%m', text[2]!, '%Y']
      : [];
  return year && month ? [`${year}${middle}${month}`] : [];
}

/** Dates with the English name of a month. */
function listNamedFormats(text: string): string[] {
  const [word = ''] = /[a-z]{3,}/i.exec(text) ?? [];
  const month = monthOf(word);
  if (month === undefined) return [];
  const shape = text
    .replace(new RegExp(`${word}\\.?(?=[^a-z]|$)`, 'i'), month)
    .replace(/(?<![\d%])\d{4}(?!\d)/, '%Y');
  const year = shape.includes('%Y');
  const counts = shape.match(/\d+/g)?.length ?? 0;
  if (year) return counts <= 1 ? [shape.replace(/\d{1,2}/, '%d')] : [];
  // Without a year of four digits, the last number is the year, as in 05-Jan-24 and Jan-24.
  const isYear = counts === 2 || (counts === 1 && /[-/']\d{2}$/.test(shape));
  if (!isYear) return [];
  const withYear = shape.replace(/\d{2}$/, '%y');
  return withYear === shape ? [] : [withYear.replace(/\d{1,2}/, '%d')];
}

const zone = '(Z|z|UTC|GMT|[-+]\\d{2}(:?\\d{2})?)';
const isoClock = '[Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?';
const isoDay = '\\d{4}-\\d{2}-\\d{2}';

/** SQL: the moment of an ISO date with a time and an offset. */
function toMoment(v: string): string {
  const part = (pattern: string, group: number) =>
    `regexp_extract(${v}, ${quoteText(pattern)}, ${group})`;
  const seconds = part('^.{16}(:\\d{2})', 1);
  const fraction = part('^.{19}[.,](\\d{1,9})', 1);
  const offset = part(`([-+]\\d{2}):?(\\d{2})?$`, 1);
  const minutes = part(`[-+]\\d{2}:?(\\d{2})$`, 1);
  return `TRY_CAST(concat(substring(${v}, 1, 10), ' ', substring(${v}, 12, 5), coalesce(nullif(${seconds}, ''), ':00'),
    CASE WHEN ${fraction} = '' THEN '' ELSE concat('.', ${fraction}) END,
    CASE WHEN regexp_matches(${v}, '[a-zA-Z]$') THEN '+00' ELSE concat(${offset}, ':', coalesce(nullif(${minutes}, ''), '00')) END) AS TIMESTAMPTZ)`;
}

/** Times with an offset. They are stored as moments, and read in the time zone of the dataset. */
export const momentForm: Form = {
  type: 'datetime',
  matches: (v) => `${fits(v, `${isoDay}${isoClock} ?${zone}`)} AND ${toMoment(v)} IS NOT NULL`,
  value: toMoment,
};

const clocks = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p'];

/** SQL: a date with one spelling of spaces, AM and PM, and of months. */
function spellDate(v: string, { date }: DateReading): string {
  const text = `regexp_replace(${spell(v)}, '(\\d)(T|, )(\\d{1,2}:\\d{2})', '\\1 \\3')`;
  const half = `regexp_replace(${text}, '(?i)(\\d) ?([ap])[.]? ?m[.]?$', '\\1 \\2m')`;
  if (!/%b/i.test(date)) return half;
  const months = english.map((month) => month.slice(0, 3)).join('|');
  return `regexp_replace(${half}, '(?i)\\b(${months})(t?[.]|t\\b)', '\\1')`;
}

/** A name of a month can be short or long. */
const listSpellings = (format: string): string[] =>
  /%b/i.test(format) ? [format.replace(/%b/i, '%b'), format.replace(/%b/i, '%B')] : [format];

/** Whether a format has a time of its own. */
export const hasClock = (format: string): boolean => /%[HIMSpfgXc]/.test(format);

function parseDates(formats: readonly string[], v: string, reading: DateReading): string {
  const time = `try_strptime(${v}, [${formats.map(quoteText).join(', ')}])`;
  if (!/%y/.test(reading.date)) return time;
  const { yearsFrom = defaultYearsFrom } = reading;
  // The parser has read the year from 1969 to 2068.
  return `CASE WHEN year(${time}) >= ${yearsFrom + 100} THEN ${time} - INTERVAL 100 YEAR
    WHEN year(${time}) < ${yearsFrom} THEN ${time} + INTERVAL 100 YEAR ELSE ${time} END`;
}

function createForm(
  type: 'date' | 'datetime',
  formats: readonly string[],
  reading: DateReading,
  spelling: (v: string) => string,
): Form {
  const parse = (v: string) => parseDates(formats, spelling(v), reading);
  return {
    type,
    // `%Y` also reads a year of two digits.
    matches: (v) => `coalesce(year(${parse(v)}) >= 1000, false)`,
    value: (v) => `CAST(${parse(v)} AS ${type === 'date' ? 'DATE' : 'TIMESTAMP'})`,
  };
}

const asIs = (v: string) => v;

/** Dates in exactly one format, with or without a time of 24 hours. */
export function listPlainDateForms(reading: DateReading): Form[] {
  const { date } = reading;
  if (hasClock(date)) return [createForm('datetime', [date], reading, asIs)];
  const withTime = [`${date} %H:%M`, `${date} %H:%M:%S`];
  return [
    createForm('date', [date], reading, asIs),
    createForm('datetime', withTime, reading, asIs),
  ];
}

/** Dates in a format, with or without a time, in any usual spelling. */
export function listDateForms(reading: DateReading): Form[] {
  const spelling = (v: string) => spellDate(v, reading);
  const formats = listSpellings(reading.date);
  const withClock = formats.flatMap((format) => clocks.map((each) => `${format} ${each}`));
  if (hasClock(reading.date)) return [createForm('datetime', formats, reading, spelling)];
  return [
    createForm('date', formats, reading, spelling),
    createForm('datetime', [...formats, ...withClock], reading, spelling),
  ];
}

/** SQL: whether a two-digit year has different centuries in usual programs: 2030 to 2068, or 1930 to 1968. */
export const hasUnclearCentury = (v: string, reading: DateReading): string =>
  `coalesce(year(${listDateForms({ ...reading, yearsFrom: undefined })
    .at(-1)!
    .value(v)}) BETWEEN 2030 AND 2068, false)`;

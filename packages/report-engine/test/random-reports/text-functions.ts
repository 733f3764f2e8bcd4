import type { FieldSpec } from './fields.ts';
import type { Row } from './rows.ts';

/** Awkward texts, numbers as texts, and dates as texts. */
export const textPools = {
  Note: [
    '',
    '-',
    '--',
    'a',
    'a-b-c',
    '-a-',
    ' a-b ',
    '  inner  gap ',
    '\u00A0no-break\u3000',
    '\t\r\n',
    '\u2028x\u2007',
    '\u200Bkept\u200B',
    'aaaa',
    'aaaaa',
    '\u{1F980}-\u00E9-e\u0301',
    '\u{1F980}\u{1F980}\u{1F980}',
    '\u0301-\u0301\u0301',
    '\u00DF & \u00DF',
    "it's",
    '\\1.*%_$',
    '1-2-3-4-5-6-7-8-9-10',
  ],
  Amount: [
    '',
    ' ',
    '0',
    '-0',
    '7',
    '+7',
    ' -7 ',
    '007',
    '0,5',
    '0.5',
    ',5',
    '.5',
    '5,',
    '5.',
    '1.234',
    '1,234',
    '1.234,5',
    '1,234.5',
    '12.345.678,90',
    '12,345,678.90',
    '1.23',
    '1,23',
    '1.2345,6',
    '12.34.567',
    '1234.567,8',
    '1.234.567',
    '1 234,5',
    '1\u00A0234\u202F567,8',
    "1'234.5",
    '1\u2019234.5',
    '\u00A07',
    '7-',
    '(7)',
    '(1.234,5)',
    '1.234,5-',
    '(-7)',
    '-7-',
    '7--',
    '--7',
    '(7',
    '7)',
    '-',
    '()',
    '1e3',
    '1,5e-3',
    '1.5E+3',
    '1.234e3',
    '1e309',
    '1e-400',
    '-1e308',
    '9007199254740993',
    '9'.repeat(100),
    '9'.repeat(101),
    'NaN',
    'infinity',
    '0x10',
    '1_000',
    '7\n',
    '7 EUR',
    '7%',
    '\u0663',
    'n/a',
  ],
  Stamp: [
    '',
    ' ',
    '05.02.2024',
    ' 5.2.2024  ',
    '29.02.2024',
    '29.02.2023',
    '29.02.1900',
    '29.02.2000',
    '30.02.2024',
    '31.04.2024',
    '31.12.2024',
    '32.12.2024',
    '00.12.2024',
    '01.00.2024',
    '01.13.2024',
    '05.02.0000',
    '05.02.2024x',
    'x05.02.2024',
    '05.02.2024\n',
    '\u00A005.02.2024',
    '005.02.2024',
    '05-02-2024',
    '05.02.68',
    '05.02.69',
    '5.2.00',
    '29.02.00',
    '29.02.01',
    '20240205',
    '2024205',
    '2024111',
    '20240230',
    'Feb 5, 2024',
    'feb 29, 2024',
    'FEB 30, 2024',
    'February 5, 2024',
    'FEBRUARY 05, 2024',
    'May 31, 2024',
    'Sept 5, 2024',
    'Feb  5, 2024',
    'Februar 5, 2024',
    'Dec 2024',
    '2024',
    '2024-02-05',
    '2024-02-05 00:00:00',
    '2024-02-05 23:59:59',
    '2024-02-05 24:00:00',
    '2024-02-05 23:59:60',
    '2024-02-30 10:00:00',
    '2024-02-05 7:05:09',
    '2024-02-05 7:5:9',
    '2/5/2024 12:00 AM',
    '2/5/2024 12:30 pm',
    '2/5/2024 1:05 PM',
    '02/05/2024 01:05 am',
    '2/5/2024 11:59 PM',
    '2/5/2024 13:05 PM',
    '2/5/2024 0:05 AM',
    '2/5/2024 1:05',
    '2/30/2024 1:05 PM',
    '2024\u5E742\u67085\u65E5',
  ],
};

/** Replaces from the left, without an overlap. */
const replace = (text: string, from: string, to: string) =>
  from === '' ? text : text.split(from).join(to);

const characters = (text: string) => Array.from(text);

/** The characters from a position, which counts from 1. */
const cut = (text: string, first: number, count = Infinity) =>
  first < 1 || count < 0
    ? null
    : characters(text)
        .slice(Math.floor(first) - 1, Math.floor(first) - 1 + Math.floor(count))
        .join('');

const cutEnd = (text: string, count: number) =>
  count < 0
    ? null
    : characters(text)
        .slice(Math.max(0, characters(text).length - Math.floor(count)))
        .join('');

const splitPart = (text: string, delimiter: string, place: number) =>
  text.split(delimiter).at(place < 0 ? place : place - 1) ?? '';

function readNumber(text: string, decimal: string, groups = ''): number | null {
  let rest = text.replace(/^ +/, '').replace(/ +$/, '');
  let isNegative = false;
  const signs = [/^[(](.*)[)]$/s, /^(.*)-$/s, /^-(.*)$/s].map((sign) => sign.exec(rest)?.[1]);
  const unsigned = signs.find((each) => each !== undefined);
  if (unsigned !== undefined) [isNegative, rest] = [true, unsigned];
  else rest = rest.replace(/^\+/, '');
  const [mantissa = '', exponent, ...more] = rest.split(/[eE]/);
  const [whole = '', fraction, ...others] = mantissa.split(decimal);
  if (more.length > 0 || others.length > 0) return null;
  if (fraction !== undefined && !/^[0-9]{1,100}$/.test(fraction)) return null;
  if (exponent !== undefined && !/^[-+]?[0-9]{1,3}$/.test(exponent)) return null;
  const [first = '', ...triples] = groups === '' ? [whole] : whole.split(new RegExp(groups));
  if (triples.length > 0) {
    if (exponent !== undefined || !/^[1-9][0-9]{0,2}$/.test(first)) return null;
    if (triples.some((triple) => !/^[0-9]{3}$/.test(triple))) return null;
  } else if (whole === '') {
    if (fraction === undefined || exponent !== undefined) return null;
  } else if (!/^(0|[1-9][0-9]{0,99})$/.test(whole)) return null;
  const value = Number(
    `${first}${triples.join('')}.${fraction ?? '0'}${exponent === undefined ? '' : `e${exponent}`}`,
  );
  return Number.isFinite(value) ? (isNegative ? -value : value) : null;
}

const monthNames = [
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

interface Found {
  year: string;
  month?: string;
  day?: string;
  hour?: string;
  minute?: string;
  second?: string;
}

const pad = (value: number | string, length = 2) => String(value).padStart(length, '0');

/** A date that exists, or null. */
function writeDate({ year, month = '1', day = '1', hour, minute = '0', second = '0' }: Found) {
  const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (Number(year) < 1 || date.getUTCDate() !== Number(day)) return null;
  if (date.getUTCMonth() !== Number(month) - 1) return null;
  const written = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  if (hour === undefined) return written;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return `${written}T${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

/** Reads dates whose parts have these patterns. */
const dateReader =
  (pattern: RegExp, complete: (found: Record<string, string>) => Partial<Found> = () => ({})) =>
  (text: string) => {
    const found = pattern.exec(text.replace(/^ +/, '').replace(/ +$/, ''))?.groups;
    if (!found) return null;
    return writeDate({ ...found, ...complete(found) } as unknown as Found);
  };

const century = ({ year = '' }: Record<string, string>) => ({
  year: `${Number(year) < 69 ? '20' : '19'}${year}`,
});

const monthOf = (name: string, isShort: boolean) =>
  String(
    monthNames.findIndex((each) => (isShort ? each.slice(0, 3) : each) === name.toLowerCase()) + 1,
  );

const halfDay = ({ hour = '', half = '' }: Record<string, string>) => ({
  hour:
    Number(hour) < 1 || Number(hour) > 12
      ? '99'
      : String((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)),
});

const formats: [string, (text: string) => string | null][] = [
  ['%d.%m.%Y', dateReader(/^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})$/)],
  ['%d.%m.%y', dateReader(/^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{2})$/, century)],
  ['%Y%m%d', dateReader(/^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/)],
  [
    '%b %d, %Y',
    dateReader(/^(?<month>[a-z]{3}) (?<day>\d\d?), (?<year>\d{4})$/i, ({ month = '' }) => ({
      month: monthOf(month, true),
    })),
  ],
  [
    '%B %d, %Y',
    dateReader(/^(?<month>[a-z]+) (?<day>\d\d?), (?<year>\d{4})$/i, ({ month = '' }) => ({
      month: monthOf(month, false),
    })),
  ],
  [
    '%b %Y',
    dateReader(/^(?<month>[a-z]{3}) (?<year>\d{4})$/i, ({ month = '' }) => ({
      month: monthOf(month, true),
    })),
  ],
  ['%Y', dateReader(/^(?<year>\d{4})$/)],
  [
    '%Y-%m-%d %H:%M:%S',
    dateReader(
      /^(?<year>\d{4})-(?<month>\d\d?)-(?<day>\d\d?) (?<hour>\d\d?):(?<minute>\d\d):(?<second>\d\d)$/,
    ),
  ],
  [
    '%m/%d/%Y %I:%M %p',
    dateReader(
      /^(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>\d{4}) (?<hour>\d\d?):(?<minute>\d\d) (?<half>[ap]m)$/i,
      halfDay,
    ),
  ],
  [
    '%Y\u5E74%m\u6708%d\u65E5',
    dateReader(/^(?<year>\d{4})\u5E74(?<month>\d\d?)\u6708(?<day>\d\d?)\u65E5$/),
  ],
];

/** The periods between year 0 and a time. */
function countPeriods(unit: string, time: string): number {
  const [year, month] = [Number(time.slice(0, 4)), Number(time.slice(5, 7))];
  if (unit === 'year') return year;
  if (unit === 'quarter') return year * 4 + Math.ceil(month / 3);
  if (unit === 'month') return year * 12 + month;
  const days = Date.parse(time.slice(0, 10)) / 86_400_000;
  // 1970-01-01 was a Thursday.
  return unit === 'day' ? days : Math.floor((days + 3) / 7);
}

const difference = (unit: string, from: string | null, to: string | null) =>
  from === null || to === null ? null : BigInt(countPeriods(unit, to) - countPeriods(unit, from));

const ofText = (
  name: string,
  expression: string,
  column: 'Note' | 'Amount' | 'Stamp',
  compute: (text: string) => string | number | null,
  type: FieldSpec['type'] = 'text',
): FieldSpec => ({
  name,
  type,
  expression,
  read: (row) => {
    const text = row[column];
    return text === null ? null : compute(text);
  },
});

const amount = (name: string, separators: string, read: (text: string) => number | null) =>
  ofText(name, `to_number(Amount${separators})`, 'Amount', read, 'number');

const day = ({ Day }: Row) => (Day === 'infinity' ? null : Day);

/**
 * The fields of functions of texts and dates, with what they mean.
 *
 * @param now the current time of the reports
 */
export const listTextFields = (
  readClock: (at: number, timeZone: string) => string,
  now: Date,
): FieldSpec[] => [
  ofText('Replaced', "replace(Note, 'aa', '-\u{1F980}')", 'Note', (text) =>
    replace(text, 'aa', '-\u{1F980}'),
  ),
  {
    name: 'Removed',
    type: 'text',
    expression: "replace(Note, Region, '')",
    read: ({ Note, Region }) =>
      Note === null || Region === null ? null : replace(Note, Region, ''),
  },
  ofText('Trimmed', 'trim(Note)', 'Note', (text) => text.trim()),
  ofText('Second', 'substring(Note, 2)', 'Note', (text) => cut(text, 2)),
  ofText('Middle of text', 'substring(Note, 2, 3)', 'Note', (text) => cut(text, 2, 3)),
  ofText('Last but two', 'substring(Note, length(Note) - 2, 2)', 'Note', (text) =>
    cut(text, characters(text).length - 2, 2),
  ),
  ofText('Half of text', 'left(Note, length(Note) / 2)', 'Note', (text) =>
    cut(text, 1, characters(text).length / 2),
  ),
  ofText('Left', 'left(Note, 3)', 'Note', (text) => cut(text, 1, 3)),
  ofText('Without end', 'left(Note, length(Note) - 3)', 'Note', (text) =>
    cut(text, 1, characters(text).length - 3),
  ),
  ofText('Right', 'right(Note, 3)', 'Note', (text) => cutEnd(text, 3)),
  ofText('Without start', 'right(Note, length(Note) - 3)', 'Note', (text) =>
    cutEnd(text, characters(text).length - 3),
  ),
  {
    name: 'Some of text',
    type: 'text',
    expression: 'substring(Note, N - 1, X)',
    read: ({ Note, N, X }) =>
      Note === null || N === null || X === null || !Number.isFinite(X)
        ? null
        : cut(Note, Number(N) - 1, X),
  },
  {
    name: 'Much of text',
    type: 'text',
    expression: 'left(Note, Big)',
    read: ({ Note, Big }) => (Note === null || Big === null ? null : cut(Note, 1, Number(Big))),
  },
  ofText('Part', "split_part(Note, '-', 2)", 'Note', (text) => splitPart(text, '-', 2)),
  ofText('Last part', "split_part(Note, '-', -1)", 'Note', (text) => splitPart(text, '-', -1)),
  ofText('Pairs', "split_part(Note, 'aa', 2)", 'Note', (text) => splitPart(text, 'aa', 2)),
  amount('Point', '', (text) => readNumber(text, '.')),
  amount('Comma', ", ','", (text) => readNumber(text, ',')),
  amount('English', ", '.', ','", (text) => readNumber(text, '.', ',')),
  amount('German', ", ',', '.'", (text) => readNumber(text, ',', '[.]')),
  amount('French', ", ',', ' '", (text) => readNumber(text, ',', '[ \u00A0\u202F]')),
  amount('Swiss', ", '.', ''''", (text) => readNumber(text, '.', "'")),
  ...formats.map(([format, read], index) =>
    ofText(
      `Date ${index}`,
      `to_date(Stamp, '${format}')`,
      'Stamp',
      read,
      format.includes('%H') || format.includes('%I') ? 'datetime' : 'date',
    ),
  ),
  ...['day', 'week', 'month', 'quarter', 'year'].flatMap((unit): FieldSpec[] => [
    {
      name: `Count of ${unit}s`,
      type: 'integer',
      expression: `date_diff('${unit}', Day, Clock)`,
      read: (row) => difference(unit, day(row), row.Clock),
    },
    {
      name: `Age in ${unit}s`,
      type: 'integer',
      expression: `date_diff('${unit}', At, today())`,
      read: ({ At }, timeZone) =>
        At === null
          ? null
          : difference(unit, readClock(At, timeZone), readClock(now.getTime(), timeZone)),
    },
  ]),
];

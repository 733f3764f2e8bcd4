import { parseDateFormat, type DateFormat, type Placeholder } from '@portal-embed/report-model';

import { readableTexts } from './readable-text.ts';
import { sql, type Sql } from './sql.ts';
import { replaceEach, type TextTools } from './text-tools.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const restsOfMonths = 'uary ruary ch il  e y ust tember ober ember ember'.split(' ');

/** A pattern of a word in any letter case. */
const anyCase = (word: string) =>
  word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

const oneOf = (patterns: readonly string[]) => `(?:${patterns.join('|')})`;

/** `short` also matches a number below 10 without a zero. */
const patterns: Record<Placeholder, string | { short: string; full: string }> = {
  '%Y': '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})',
  '%y': '[0-9]{2}',
  '%m': { short: '(?:0?[1-9]|1[0-2])', full: '(?:0[1-9]|1[0-2])' },
  '%b': oneOf(months.map(anyCase)),
  '%B': oneOf(months.map((month, index) => anyCase(month + restsOfMonths[index]!))),
  '%d': { short: '(?:0?[1-9]|[12][0-9]|3[01])', full: '(?:0[1-9]|[12][0-9]|3[01])' },
  '%H': { short: '(?:[01]?[0-9]|2[0-3])', full: '(?:[01][0-9]|2[0-3])' },
  '%I': { short: '(?:0?[1-9]|1[0-2])', full: '(?:0[1-9]|1[0-2])' },
  '%M': '[0-5][0-9]',
  '%S': '[0-5][0-9]',
  '%p': '[AaPp][Mm]',
};

const escape = (text: string) => text.replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');

/** The hour before AM or PM is one of twelve, whichever placeholder it has. */
function useHalves({ parts, type }: DateFormat): DateFormat {
  const hasHalf = parts.some((part) => 'placeholder' in part && part.placeholder === '%p');
  return {
    type,
    parts: parts.map((part) =>
      hasHalf && 'placeholder' in part && part.placeholder === '%H'
        ? { ...part, placeholder: '%I' }
        : part,
    ),
  };
}

/** Reads the argument of `to_date`, which the checker has parsed. */
export function readFormat(text: string): DateFormat {
  const format = parseDateFormat(text);
  if (typeof format === 'string') throw new Error(`The format "${text}" is wrong: ${format}.`);
  return useHalves(format);
}

/**
 * The pattern of a text with a date: spaces may surround it. Its first group is the date, which may be
 * a day that does not exist.
 */
export const writePattern = ({ parts }: DateFormat): string =>
  `^ *(${parts
    .map((part) => {
      if ('text' in part) return escape(part.text);
      const pattern = patterns[part.placeholder];
      if (typeof pattern === 'string') return pattern;
      return part.hasAllDigits ? pattern.full : pattern.short;
    })
    .join('')}) *$`;

/** Writes the format as `strptime` reads it. */
export const writeStrptime = ({ parts }: DateFormat): string =>
  parts
    .map((part) => ('text' in part ? part.text.replaceAll('%', '%%') : part.placeholder))
    .join('');

/** Patterns that find a part of a text of which `writePattern` is true. The group is what is kept. */
const finders: Record<Placeholder, string> = {
  '%Y': '([0-9]{4})',
  '%y': '([0-9]{2})',
  '%m': '([0-9]{1,2})',
  '%b': '([A-Za-z]{3})',
  '%B': '([A-Za-z]{3})[A-Za-z]*',
  '%d': '([0-9]{1,2})',
  '%H': '([0-9]{1,2})',
  '%I': '0?([0-9]{1,2})',
  '%M': '([0-9]{2})',
  '%S': '([0-9]{2})',
  '%p': '([A-Za-z]{2})',
};

/** What ISO 8601 has in place of AM or PM and an hour, as they are first written. */
const hours: [string, string][] = [
  ['AM12:', '00:'],
  ['AM', ''],
  ['PM12:', '12:'],
  ...Array.from({ length: 11 }, (_, index): [string, string] => [
    `PM${index + 1}:`,
    `${index + 13}:`,
  ]),
];

const monthNumbers = months.map((month, index): [string, string] => [
  `-${month.toUpperCase()}-`,
  `-${String(index + 1).padStart(2, '0')}-`,
]);

/** Years of two digits are those from 1969 to 2068, as for `strptime`. */
const centuries: [string, string][] = [
  ['^([0-5][0-9]|6[0-8])-', '20\\1-'],
  ['^([0-9]{2})-', '19\\1-'],
];

/** Reads a text as a date of a format, in an engine without a strict function for it. */
export function readDate(tools: TextTools, value: Sql, format: DateFormat): Sql {
  const { quote, bind, extract, rewrite, read } = tools;
  const found = format.parts.flatMap((part) => ('text' in part ? [] : [part.placeholder]));
  const groupOf = (...placeholders: Placeholder[]) => {
    const index = found.findIndex((placeholder) => placeholders.includes(placeholder));
    return index === -1 ? undefined : `\\${index + 1}`;
  };
  const has = (placeholder: Placeholder) => found.includes(placeholder);
  const finder = format.parts
    .map((part) => ('text' in part ? escape(part.text) : finders[part.placeholder]))
    .join('');
  const day = `${groupOf('%Y', '%y')}-${groupOf('%m', '%b', '%B') ?? '01'}-${groupOf('%d') ?? '01'}`;
  const clock = ` ${groupOf('%p') ?? ''}${groupOf('%H', '%I')}:${groupOf('%M') ?? '00'}:${groupOf('%S') ?? '00'}`;
  const written = rewrite(
    extract(value, bind(writePattern(format))),
    bind(`^${finder}$`),
    quote(format.type === 'date' ? day : day + clock),
  );
  const pairs = [...(has('%b') || has('%B') ? monthNumbers : []), ...(has('%p') ? hours : [])];
  const numeric = pairs.length > 0 ? replaceEach(tools, sql`upper(${written})`, pairs) : written;
  const whole = (has('%y') ? centuries : []).reduce(
    (text, [pattern, template]) => rewrite(text, quote(pattern), quote(template)),
    numeric,
  );
  return read(extract(whole, quote(readableTexts[format.type])), format.type);
}

import { listCurrencies } from './csv-currencies.ts';
import { isRounded, normalize, patternOf, toInteger, type Separators } from './csv-numbers.ts';
import { fits } from './csv-sql.ts';
import type { Form } from './csv-types.ts';

/** What the numbers of a column have beside their digits. Each of them may also have a minus or parentheses. */
export interface Signs {
  /** The texts of a percent or of one currency. Empty for plain numbers. */
  texts: readonly string[];
  /** What the texts can stand for. Empty for plain numbers and percents. */
  currencies: readonly string[];
}

export const noSigns: Signs = { texts: [], currencies: [] };

export const isPercent = ({ texts }: Signs): boolean => texts.includes('%');

/** Characters that files write instead of others, and these. */
const spellings = [
  ['\u2212', '-'],
  ['\u2013', '-'],
  ['\ufe63', '-'],
  ['\uff0d', '-'],
  ['\uff05', '%'],
  ['\u066a', '%'],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['\u2007', ' '],
  ['\u2019', "'"],
  ['\u02bc', "'"],
] as const;

const written = spellings.map(([each]) => each).join('');
const meant = spellings.map(([, each]) => each).join('');

/** SQL: the text with one spelling of minus, percent, spaces and apostrophes. */
export const spell = (v: string) =>
  `translate(${v}, '${written}', '${meant.replaceAll("'", "''")}')`;

/** Like `spell`, for a value that has been read. */
export const spellText = (text: string): string =>
  text.replace(new RegExp(`[${written}]`, 'g'), (each) => meant[written.indexOf(each)]!);

/**
 * The text beside the digits of a number, without minus, parentheses and spaces.
 *
 * @returns `undefined` if the text is no number
 */
export function findSign(text: string): string | undefined {
  const found = /^(\D*)\d[\d.,' ]*(?:[eE][-+]?\d{1,3})?(\D*)$/.exec(spellText(text));
  if (!found) return undefined;
  const [before, after] = [found[1]!, found[2]!];
  // The point of `Rs.` belongs to the sign, and that of `$.50` to the number.
  return [before, before.replace(/[.,]$/, '')]
    .map((each) => (each + after).replace(/[-+() ]/g, ''))
    .find((sign) => sign === '' || sign === '%' || listCurrencies(sign) !== undefined);
}

const longestFirst = (texts: readonly string[]) =>
  texts.toSorted((one, other) => other.length - one.length);

const escape = (text: string) => text.replace(/[$.%()|^*+?[\]{}\\]/g, '\\$&');

/** The pattern of the numbers of a column. */
function signedPatternOf(separators: Separators, { texts }: Signs): string {
  const number = patternOf(separators);
  if (texts.length === 0) return `([-+] ?)?${number}|${number} ?-|\\(${number}\\)`;
  const sign = `(${texts.map(escape).join('|')})`;
  return [
    `([-+] ?)?${sign} ?${number}`,
    `${sign} ?[-+] ?${number}`,
    `([-+] ?)?${number} ?${sign}`,
    `${sign} ?${number} ?-`,
    `${number} ?- ?${sign}`,
    `${number} ?${sign} ?-`,
    `\\(${sign} ?${number}\\)`,
    `\\(${number} ?${sign}\\)`,
    `${sign} ?\\(${number}\\)`,
    `\\(${number}\\) ?${sign}`,
    // Nothing of any unit is nothing.
    `[-+]?0([${separators.decimal ?? '.'}]0+)?`,
  ].join('|');
}

/** SQL: the number with a leading minus, and without other signs. */
function bare(v: string, { texts }: Signs): string {
  let text = spell(v);
  for (const each of longestFirst(texts)) text = `replace(${text}, '${each}', '')`;
  text = `replace(${text}, ' ', '')`;
  return `concat(CASE WHEN regexp_matches(${text}, '^[-(]|-$') THEN '-' ELSE '' END,
    regexp_replace(${text}, '^[-+(]+|[-)]+$', '', 'g'))`;
}

/** Reads numbers with the signs of a column. */
export interface SignedNumbers {
  /** SQL: whether the value is a number that a double holds. */
  matches: (v: string) => string;
  /** SQL: whether such a value is a whole number of 64 bits. */
  isWhole: (v: string) => string;
  toDouble: (v: string) => string;
  toInteger: (v: string) => string;
  /** SQL: the number with a decimal point, perhaps with an exponent. */
  toText: (v: string) => string;
}

export function readSigned(separators: Separators, signs: Signs): SignedNumbers {
  const pattern = signedPatternOf(separators, signs);
  const { decimal = '.', thousands } = separators;
  // Spaces have been removed with the signs.
  const left: Separators = { decimal, thousands: thousands === ' ' ? undefined : thousands };
  const shift = isPercent(signs) ? `|| 'e-2'` : '';
  const toText = (v: string) => `(${normalize(left, bare(v, signs))} ${shift})`;
  const double = (v: string) => `TRY_CAST(${toText(v)} AS DOUBLE)`;
  return {
    matches: (v) =>
      `${fits(spell(v), pattern)} AND isfinite(${double(v)}) AND NOT (${isRounded(left, bare(v, signs))})`,
    isWhole: (v) =>
      isPercent(signs)
        ? 'false'
        : `regexp_full_match(${normalize(left, bare(v, signs))}, '-?\\d+') AND ${toInteger(left, bare(v, signs))} IS NOT NULL`,
    toDouble: double,
    toInteger: (v) => toInteger(left, bare(v, signs)),
    toText,
  };
}

/** The forms of signed numbers. */
export function listSignedForms(separators: Separators, signs: Signs): Form[] {
  const numbers = readSigned(separators, signs);
  return [
    {
      type: 'integer',
      matches: (v) => `${numbers.matches(v)} AND ${numbers.isWhole(v)}`,
      value: numbers.toInteger,
    },
    { type: 'number', matches: numbers.matches, value: numbers.toDouble },
  ];
}

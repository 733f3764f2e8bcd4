import type { CsvOptions } from '@portal-embed/report-model';

import { fits, quoteText } from './csv-sql.ts';

/** How numbers are written. */
export type Separators = Pick<CsvOptions, 'decimal' | 'thousands'>;

const escape = (character: string) => (/\s/.test(character) ? character : `\\${character}`);

/** Patterns of numbers with a sign, the whole ones first. */
function patternsOf({ decimal = '.', thousands }: Separators): { whole: string; number: string } {
  // A number with leading zeros is a code, such as a postal code.
  const plain = '(0|[1-9]\\d*)';
  const groups = thousands ? `[1-9]\\d{0,2}(${escape(thousands)}\\d{3})+` : plain;
  const fraction = `${escape(decimal)}\\d+`;
  const exponent = '[eE][-+]?\\d{1,3}';
  return {
    whole: `[-+]?(${plain}|${groups})`,
    // An exponent follows a fraction, never a group of thousands.
    number: `[-+]?(${plain}(${fraction})?(${exponent})?|${groups}(${fraction})?|${fraction})`,
  };
}

/** Numbers, also with the groups of India. Spaces and apostrophes have one spelling. */
export function patternOf(separators: Separators): string {
  const { decimal = '.', thousands } = separators;
  if (thousands === undefined) return `(${patternsOf(separators).number.replace('[-+]?', '')})`;
  const group = escape(thousands);
  const groups = `([1-9]\\d?(${group}\\d{2})+${group}\\d{3})(${escape(decimal)}\\d+)?`;
  return `(${patternsOf(separators).number.replace('[-+]?', '')}|${groups})`;
}

const removeGroups = ({ thousands }: Separators, v: string) =>
  thousands ? `replace(${v}, ${quoteText(thousands)}, '')` : v;

/** SQL: the number with a decimal point and without groups. */
export const normalize = (separators: Separators, v: string) =>
  separators.decimal === ','
    ? `replace(${removeGroups(separators, v)}, ',', '.')`
    : removeGroups(separators, v);

export const isWhole = (separators: Separators, v: string) => fits(v, patternsOf(separators).whole);

export const toInteger = (separators: Separators, v: string) =>
  `TRY_CAST(${removeGroups(separators, v)} AS BIGINT)`;

export const toDouble = (separators: Separators, v: string) =>
  `TRY_CAST(${normalize(separators, v)} AS DOUBLE)`;

/** SQL: the decimal. DuckDB casts a text to a HUGEINT thirty times as fast as to a wide decimal. */
export function toDecimal(separators: Separators, v: string): string {
  const number = normalize(separators, v);
  const fraction = `rpad(split_part(${number}, '.', 2), 10, '0')`;
  const scaled = `CAST(concat(split_part(${number}, '.', 1), ${fraction}) AS HUGEINT)`;
  return `CASE WHEN ${fits(number, '[-+]?\\d{1,28}(\\.\\d{1,10})?')}
    THEN CAST(CAST(${scaled} AS DECIMAL(38, 0)) * CAST('0.0000000001' AS DECIMAL(10, 10)) AS DECIMAL(38, 10))
    ELSE TRY_CAST(${number} AS DECIMAL(38, 10)) END`;
}

export const isNumber = (separators: Separators, v: string) =>
  `${fits(v, patternsOf(separators).number)} AND isfinite(${toDouble(separators, v)})`;

/**
 * SQL: whether a number is written with more digits than a double holds, so that two account numbers
 * would become equal.
 */
export const isRounded = (separators: Separators, v: string) =>
  `abs(${toDouble(separators, v)}) >= 9007199254740992 AND NOT regexp_matches(${v}, '[eE]')`;

/** SQL: whether the value is a number that a double holds. */
export const isDouble = (separators: Separators, v: string) =>
  `${isNumber(separators, v)} AND NOT (${isRounded(separators, v)})`;

/** The two ways to read points and commas. */
export const pointReading = { decimal: '.', thousands: ',' } as const satisfies Separators;
export const commaReading = { decimal: ',', thousands: '.' } as const satisfies Separators;

/** SQL: whether the value is a number in both readings, perhaps the same one. */
export const hasBothReadings = (v: string) =>
  `${isDouble(pointReading, v)} AND ${isDouble(commaReading, v)}`;

/** SQL: whether the value has a point or a comma. */
export const isSeparated = (v: string) => `regexp_matches(${v}, '[.,]')`;

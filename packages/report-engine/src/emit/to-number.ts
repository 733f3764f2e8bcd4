import { readLiteral, type Sql } from './sql.ts';
import { replaceEach, type TextTools } from './text-tools.ts';

/** How a text has a number. */
interface Separators {
  decimal: string;
  /** Absent: numbers have no groups. */
  thousands?: string | undefined;
}

/** Reads the literals of a call. */
export const readSeparators = ([decimal, thousands]: readonly Sql[]): Separators => ({
  decimal: decimal ? readLiteral(decimal) : '.',
  thousands: thousands && readLiteral(thousands),
});

/** Spaces that group digits. */
const spaces = [' ', '\u00A0', '\u202F'];

/** Digits of the longest number. More would be no amount, and PostgreSQL could not read them. */
const manyDigits = '[0-9]{0,99}';

/** The pattern of a text with a number, as in a CSV file. Its first group is the number. */
function writePattern({ decimal, thousands }: Separators): string {
  // A number with leading zeros is a code, such as a postal code.
  const plain = `(?:0|[1-9]${manyDigits})`;
  const fraction = `[${decimal}][0-9]${manyDigits}`;
  const separator = thousands === ' ' ? spaces.join('') : thousands;
  const forms = [
    `${plain}(?:${fraction})?(?:[eE][-+]?[0-9]{1,3})?`,
    ...(separator ? [`[1-9][0-9]{0,2}(?:[${separator}][0-9]{3}){1,33}(?:${fraction})?`] : []),
    fraction,
  ];
  return `^ *([-+]?(?:${forms.join('|')})) *$`;
}

/** Reads a text as a number. Accounting writes negative ones in parentheses or with a minus at the end. */
export function readNumber(tools: TextTools, value: Sql, separators: Separators): Sql {
  const { quote, extract, rewrite, read } = tools;
  const { decimal, thousands } = separators;
  const signed = rewrite(value, quote('^ *(?:[(](.*)[)]|(.*)-) *$'), quote('-\\1\\2'));
  const found = extract(signed, quote(writePattern(separators)));
  const removed = thousands === ' ' ? spaces : thousands === undefined ? [] : [thousands];
  const replaced: [string, string][] = removed.map((each) => [each, '']);
  return read(replaceEach(tools, found, [...replaced, [decimal, '.']]), 'number');
}

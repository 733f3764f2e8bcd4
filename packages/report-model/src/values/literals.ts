import type { FieldType } from '../files/dataset.ts';
import type { Literal } from '../files/predicate.ts';

const integer = /^-?\d{1,19}$/;
/** JavaScript and YAML write small and large numbers with exponents, such as `1e-7`. */
const number = /^-?\d{1,38}(?:\.\d{1,38})?(?:e([+-]?\d{1,3}))?$/i;
const date = /^\d{4}-\d{2}-\d{2}$/;
const datetime = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)?$/;

function isDate(text: string): boolean {
  if (!date.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(text);
  // Date.parse turns February 30 into March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDecimal(text: string): boolean {
  const [match, exponent = '0'] = number.exec(text) ?? [];
  if (match === undefined) return false;
  const digits = text.replace(/e.*$/i, '').replaceAll(/\D/g, '').length;
  return digits + Math.abs(Number(exponent)) <= 38;
}

const fits: Record<FieldType, (text: string) => boolean> = {
  text: () => true,
  integer: (text) => integer.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
  decimal: isDecimal,
  number: (text) => number.test(text) && Number.isFinite(Number(text)),
  date: isDate,
  datetime: (text) => isDate(datetime.exec(text)?.[1] ?? ''),
  boolean: (text) => text === 'true' || text === 'false',
};

/** Whether a text is a valid value of a type. Times have no zone. */
export const isTextOf = (type: FieldType, text: string) => fits[type](text);

const examples: Record<FieldType, string> = {
  text: '"012"',
  integer: '12',
  decimal: '12.5',
  number: '12.5',
  date: '"2024-12-31"',
  datetime: '"2024-12-31 18:30"',
  boolean: 'true',
};

/** Describes why a value does not fit a type, and what to write; `undefined` if it fits. */
export function describeMisfit(value: Literal, type: FieldType): string | undefined {
  if (type === 'text')
    return typeof value === 'string'
      ? undefined
      : `is text, but YAML reads ${value} as ${typeof value === 'number' ? 'a number' : 'a boolean'}; quote it: ${JSON.stringify(String(value))}`;
  const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (isRounded && type !== 'number' && Number.isFinite(value))
    return 'has exact numbers, but YAML rounds a number of this size; put the value in quotes';
  const isKind =
    typeof value === 'string'
      ? type !== 'boolean'
      : (typeof value === 'boolean') === (type === 'boolean');
  if (isKind && isTextOf(type, String(value))) return undefined;
  const noun = {
    integer: 'a whole number',
    decimal: 'a number',
    number: 'a number',
    date: 'a date',
    datetime: 'a datetime',
    boolean: 'a boolean',
  }[type];
  return `is ${noun}, but ${JSON.stringify(value)} is not; write a value such as ${examples[type]}`;
}

/** Whether the second value comes before the first. Both are values of the type. */
export function isReversed(from: Literal, to: Literal, type: FieldType): boolean {
  if (type === 'integer') return BigInt(to) < BigInt(from);
  if (type === 'number' || type === 'decimal') return Number(to) < Number(from);
  return String(to) < String(from);
}

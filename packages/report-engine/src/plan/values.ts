import type { FieldType, Key } from '@portal-embed/report-model';

const number = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;
const time =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?)?$/;

/** The look-behind keeps matching linear for long runs of zeros. */
const trailingZeros = /(?<!0)0+$/;

/** A decimal number without exponent, such as `-12.5`; `undefined` if the text is not a number. */
function readDecimal(text: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = number.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const shift = Number(exponent);
  const digits = whole + fraction + '0'.repeat(Math.max(shift - fraction.length, 0));
  const point = whole.length + shift;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits;
  const left = padded.slice(0, Math.max(point, 0)).replace(/^0+/, '');
  const right = padded.slice(Math.max(point, 0)).replace(trailingZeros, '');
  if (left.length + right.length > 38) return undefined;
  const value = (left || '0') + (right && `.${right}`);
  return sign === '-' && value !== '0' ? `-${value}` : value;
}

function readInteger(text: string): string | undefined {
  const value = readDecimal(text);
  if (value === undefined || value.includes('.')) return undefined;
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? value : undefined;
}

function readDouble(text: string): string | undefined {
  if (!number.test(text)) return undefined;
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? String(value) : undefined;
}

const pad = (part: string | undefined) => (part ?? '0').padStart(2, '0');

/** `2024-01-03`, or `2024-01-03T09:30:00` if there is a time of day. */
function readTime(text: string): string | undefined {
  const found = time.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction] = found;
  const date = `${year}-${pad(month)}-${pad(day)}`;
  const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}`;
  const parsed = new Date(`${date}T${clock}Z`);
  // `Date` reads an impossible day, such as February 30, as a later day.
  if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(`${date}T${clock}`))
    return undefined;
  if (hour === undefined) return date;
  const digits = fraction?.replace(trailingZeros, '');
  return `${date}T${clock}${digits ? `.${digits}` : ''}`;
}

function readDate(text: string): string | undefined {
  const value = readTime(text);
  if (value === undefined || value.length === 10) return value;
  return value.endsWith('T00:00:00') ? value.slice(0, 10) : undefined;
}

const booleans = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((text) => [text, 'true'] as const),
  ...['false', 'f', 'no', 'n', '0'].map((text) => [text, 'false'] as const),
]);

const readers: Record<FieldType, (text: string) => string | undefined> = {
  text: (text) => text,
  number: readDouble,
  integer: readInteger,
  decimal: readDecimal,
  date: readDate,
  datetime: readTime,
  boolean: (text) => booleans.get(text.toLowerCase()),
};

/**
 * Converts a string to the canonical form of its type, which all engines read in the same way;
 * `undefined` if the string is not valid for the type.
 */
export const readValue = (type: FieldType, text: string): string | undefined =>
  readers[type](type === 'text' ? text : text.trim());

/** Writes a key of a result as a value of its type. JavaScript writes small numbers with exponents. */
export const writeKey = (type: FieldType, key: NonNullable<Key>): string =>
  readValue(type, String(key)) ?? String(key);

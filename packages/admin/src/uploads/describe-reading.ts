import type { Formats } from '../messages/messages.ts';

type Options = Readonly<Record<string, unknown>>;

/** Describes options under `csv` or `xlsx`, and what is written on fields, one sentence for each. */
export function describeReading(
  formats: Formats,
  { options = {}, fields = {} }: { options?: object | undefined; fields?: object | undefined },
): string[] {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return [
    ...given.flatMap(([name, value]) => describeOption(formats, name, value) ?? []),
    ...Object.entries(fields).flatMap(([column, written]) =>
      Object.entries(written as Options).map(([name, value]) =>
        describeField(formats, column, name, value),
      ),
    ),
  ];
}

const separators = { '.': 'point', ',': 'comma', ' ': 'space', "'": 'apostrophe' } as const;

const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

const isKey = <Names extends object>(names: Names, key: unknown): key is keyof Names =>
  typeof key === 'string' && Object.hasOwn(names, key);

/** Files have English names of months. */
const nameDecember = (month: 'short' | 'long') =>
  new Intl.DateTimeFormat('en', { month, timeZone: 'UTC' }).format(Date.UTC(2024, 11, 31));

/** The parts of 31 December 2024, 23:59:58, by their placeholders. */
const dateParts: Readonly<Record<string, string>> = {
  '%d': '31',
  '%-d': '31',
  '%m': '12',
  '%-m': '12',
  '%Y': '2024',
  '%y': '24',
  '%b': nameDecember('short'),
  '%B': nameDecember('long'),
  '%H': '23',
  '%-H': '23',
  '%I': '11',
  '%-I': '11',
  '%M': '59',
  '%S': '58',
  '%p': 'PM',
};

/** Shows a date format as the date that it gives on the last day of a year. */
export const showDateFormat = (format: string): string =>
  format.replace(/%-?[a-z]/gi, (placeholder) => dateParts[placeholder] ?? placeholder);

function describeOption(
  { formatMessage, formatNumber }: Formats,
  name: string,
  value: unknown,
): string | undefined {
  switch (name) {
    case 'delimiter':
      return isKey(delimiters, value)
        ? formatMessage(`reading.delimiter.${delimiters[value]}`)
        : formatMessage('reading.delimiter', { character: String(value) });
    case 'decimal':
      return formatMessage(value === ',' ? 'readings.decimal_comma' : 'readings.decimal_point');
    case 'thousands':
      return isKey(separators, value)
        ? formatMessage(`readings.thousands_${separators[value]}`)
        : undefined;
    case 'date':
      return formatMessage('reading.date', { format: showDateFormat(String(value)) });
    case 'yearsFrom':
      return formatMessage('reading.years', nameYears(value));
    case 'encoding':
      return value === 'utf-8-or-windows-1252'
        ? formatMessage('reading.encoding.mixed')
        : formatMessage('reading.encoding', { encoding: String(value) });
    case 'sheet':
      return formatMessage('reading.sheet', { sheet: String(value) });
    case 'header':
      return value === false ? formatMessage('reading.no_header') : undefined;
    case 'skip':
      return formatMessage('reading.skip', { count: Number(value) });
    case 'skipFooter':
      return value === 0
        ? formatMessage('reading.footer.none')
        : formatMessage('reading.footer', { count: Number(value) });
    case 'nulls': {
      const texts = (value as unknown[]).map((text) => `“${String(text)}”`);
      return formatMessage('reading.nulls', { texts: texts.join(', ') });
    }
    default:
      return `${name}: ${typeof value === 'number' ? formatNumber(value) : String(value)}`;
  }
}

/** Years of two digits are those of a century that begins with this one. */
const nameYears = (from: unknown) => ({ from: String(from), to: String(Number(from) + 99) });

function describeField(
  { formatMessage }: Formats,
  column: string,
  name: string,
  value: unknown,
): string {
  if (name === 'type') return formatMessage('reading.field.type', { column, type: String(value) });
  if (name === 'date')
    return formatMessage('reading.field.date', { column, format: showDateFormat(String(value)) });
  if (name === 'yearsFrom')
    return formatMessage('reading.field.years', { column, ...nameYears(value) });
  const { currency } = (value ?? {}) as { currency?: string };
  return currency === undefined
    ? formatMessage('reading.field.other', { column, name, value: JSON.stringify(value) })
    : formatMessage('reading.field.currency', { column, currency });
}

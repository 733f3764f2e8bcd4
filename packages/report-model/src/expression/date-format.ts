import { usePlaceholders } from '../files/file-options.ts';

/** Placeholders of a date format, and what they stand for. */
const placeholders = {
  '%Y': 'year',
  '%y': 'year',
  '%m': 'month',
  '%b': 'month',
  '%B': 'month',
  '%d': 'day',
  '%H': 'hour',
  '%I': 'hour',
  '%M': 'minute',
  '%S': 'second',
  '%p': 'AM or PM',
} as const;

export type Placeholder = keyof typeof placeholders;
type Unit = (typeof placeholders)[Placeholder];

/** The unit without which a unit means nothing. */
const longerUnits: Partial<Record<Unit, Unit>> = {
  'AM or PM': 'hour',
  second: 'minute',
  minute: 'hour',
  hour: 'day',
  day: 'month',
  month: 'year',
};

export type DateFormatPart =
  /** `hasAllDigits`: whether a number below 10 has a zero before it. */
  { placeholder: Placeholder; hasAllDigits: boolean } | { text: string };

/** How a text has a date. */
export interface DateFormat {
  /** A `date` if the format has no hour. */
  type: 'date' | 'datetime';
  /** Each unit occurs at most once. */
  parts: DateFormatPart[];
}

const isPlaceholder = (part: string): part is Placeholder => Object.hasOwn(placeholders, part);

const hasDigits = (part: string) => /^%[YymdHIMS]$/.test(part);

/** Numbers that have no other digit beside them may have one digit. */
const mayBeShort: ReadonlySet<string> = new Set(['%m', '%d', '%H', '%I']);

const maxLength = 100;

function describeProblem(format: string, parts: readonly string[]): string | undefined {
  if (format.length > maxLength) return `the format has more than ${maxLength} characters`;
  const used = parts.filter((part) => part.startsWith('%') && part !== '%%');
  if (used.length === 0)
    return `the format has no placeholders; write one such as '${usePlaceholders(format.replaceAll('%', ''))}'`;
  const known = Object.keys(placeholders).join(', ');
  const unknown = used.find((part) => !isPlaceholder(part));
  if (unknown !== undefined)
    return `unknown placeholder "${unknown}" in the format; write one of ${known}, or %% for a percent sign`;
  const found = new Map<Unit, string>();
  for (const part of used.filter(isPlaceholder)) {
    const unit = placeholders[part];
    const other = found.get(unit);
    if (other !== undefined)
      return `the format has ${other === part ? `${part} twice` : `${other} and ${part}`}; remove one of them`;
    found.set(unit, part);
  }
  const needed = ['year' as const, ...[...found.keys()].map((unit) => longerUnits[unit])];
  const missing = needed.find((unit) => unit !== undefined && !found.has(unit));
  if (missing !== undefined) {
    const choices = Object.entries(placeholders).filter(([, unit]) => unit === missing);
    return `the format has no ${missing}; add ${choices.map(([part]) => part).join(' or ')}`;
  }
  if (found.get('hour') === '%I' && !found.has('AM or PM'))
    return 'the format has %I without %p; add %p, or write %H for hours from 0 to 23';
  return undefined;
}

/** Parses a date format with placeholders of strptime. Returns what is wrong with it as text. */
export function parseDateFormat(format: string): DateFormat | string {
  const parts = format.match(/%[^]?|[^%]+/gu) ?? [];
  const problem = describeProblem(format, parts);
  if (problem !== undefined) return problem;
  const isBesideDigit = (index: number) => {
    const [before = '', after = ''] = [parts[index - 1], parts[index + 1]];
    return [before, after].some(hasDigits) || /\d$/.test(before) || /^\d/.test(after);
  };
  return {
    type: parts.some((part) => part === '%H' || part === '%I') ? 'datetime' : 'date',
    parts: parts.map((part, index) =>
      isPlaceholder(part)
        ? { placeholder: part, hasAllDigits: !mayBeShort.has(part) || isBesideDigit(index) }
        : { text: part === '%%' ? '%' : part },
    ),
  };
}

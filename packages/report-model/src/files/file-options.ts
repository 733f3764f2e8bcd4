import { z } from 'zod';

/** A date format with strptime placeholders. */
export const dateFormatSchema = z
  .string()
  .min(1, { abort: true })
  .max(50, { abort: true })
  .superRefine((format, context) => {
    if (format.includes('%')) return;
    const message = `${format} has no placeholders; write date: "${usePlaceholders(format)}"`;
    context.addIssue({ code: 'custom', message });
  });

/** The first of the hundred years that two-digit years mean. */
export const yearsFromSchema = z.int().min(1901).max(2000);

const placeholders: Readonly<Record<string, string>> = {
  yyyy: '%Y',
  yy: '%y',
  mm: '%m',
  dd: '%d',
  hh: '%H',
  ':mm': ':%M',
  ss: '%S',
};

/** Translates a format such as dd.MM.yyyy. */
export function usePlaceholders(format: string): string {
  const translated = format.replace(
    /yyyy|yy|dd|hh|:?mm|ss/gi,
    (part) => placeholders[part.toLowerCase()]!,
  );
  return translated.includes('%') ? translated : '%d.%m.%Y';
}

/** Texts that stand for a missing value. */
export const nullsSchema = z.array(z.string().min(1).max(100)).min(1).max(100);

import { createNumberFormats } from './numbers.ts';
import { createTimeFormats } from './times.ts';

/** Formats of numbers, currencies and times in one language. */
export type Formats = ReturnType<typeof createFormats>;

/** @param locale BCP 47 tag. Without one, or with an invalid one, the browser's languages decide. */
export function createFormats(locale?: string) {
  const locales = [locale, ...navigator.languages].filter(isLocale);
  const numbers = createNumberFormats(locales);
  const collator = new Intl.Collator(locales, { numeric: true });
  return {
    ...numbers,
    ...createTimeFormats(locales, (value, { format }) =>
      format ? numbers.formatNumber(value, format) : numbers.formatPosition(value),
    ),
    /** Compares texts for sorting. */
    compareTexts: collator.compare,
  };
}

function isLocale(tag: string | undefined): tag is string {
  try {
    return tag !== undefined && new Intl.Locale(tag).baseName !== '';
  } catch {
    return false;
  }
}

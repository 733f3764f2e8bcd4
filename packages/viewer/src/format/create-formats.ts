import type { FormatOptions, Value } from '@portal-embed/report-model';
import type { Catalogue } from 'page-kit/messages/catalogue';
import { createMessageFormats } from 'page-kit/messages/create-message-formats';
import { loadCatalogue } from 'page-kit/messages/load-catalogue';

import { createNumberFormats } from './numbers.ts';
import { createTimeFormats } from './times.ts';

/** Formats of messages, numbers, currencies and times in one language. */
export type Formats = ReturnType<typeof createFormats>;

/**
 * @param locale BCP 47 tag of numbers and times. Without one, or with an invalid one, the browser's
 *   languages decide.
 * @param languages BCP 47 tags of the reader's languages, the preferred first
 */
export function createFormats(
  locale: string | undefined,
  catalogue: Catalogue,
  languages: readonly string[] = navigator.languages,
) {
  const locales = [locale, ...languages].filter(isLocale);
  const messages = createMessageFormats(catalogue, locales);
  const numbers = createNumberFormats(locales, messages);
  const collator = new Intl.Collator(locales, { numeric: true });
  return {
    ...messages,
    ...numbers,
    ...createTimeFormats(locales, messages, (value, { format }) =>
      numbers.formatPosition(value, format),
    ),
    /** BCP 47 tag of numbers and times. */
    locale: locales[0] ?? messages.language,
    /** `Sales: $100`, or with the number of all rows `Sales: $100 (12.5% of the total)`. */
    describeValue: (name: string, value: Value, format: FormatOptions, total?: number): string => {
      const text = numbers.formatNumber(value, format);
      if (value === null || total === undefined)
        return messages.formatMessage('tooltip.value', { name, value: text });
      const share = numbers.formatShare(Number(value) / total);
      return messages.formatMessage('tooltip.of_total', { name, value: text, share });
    },
    /** Compares texts for sorting. */
    compareTexts: collator.compare,
  };
}

/** Loads the texts of a locale, and creates its formats. */
export const loadFormats = async (locale?: string): Promise<Formats> =>
  createFormats(locale, await loadCatalogue(locale));

function isLocale(tag: string | undefined): tag is string {
  try {
    return tag !== undefined && new Intl.Locale(tag).baseName !== '';
  } catch {
    return false;
  }
}

import type { Guess } from './csv-hints.ts';

const languages = {
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  Dutch: 'nl',
  Polish: 'pl',
  Swedish: 'sv',
};

const known = new Map<string, ReadonlySet<string>>();

/** The names of the months of a language, in full and short. */
function listMonths(locale: string): ReadonlySet<string> {
  const months = known.get(locale);
  if (months) return months;
  const names = new Set(locale === 'de' ? ['mrz', 'mär', 'mai', 'okt', 'dez'] : []);
  for (const month of ['long', 'short'] as const)
    for (const rest of [{}, { day: 'numeric' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { month, ...rest, timeZone: 'UTC' });
      for (let index = 0; index < 12; index += 1) {
        const part = format
          .formatToParts(Date.UTC(2024, index, 1))
          .find(({ type }) => type === 'month');
        names.add((part?.value ?? '').toLowerCase().replace(/\.$/, ''));
      }
    }
  known.set(locale, names);
  return names;
}

/** Says that no option reads the months of a column that are not English. */
export function guessMonths(texts: readonly string[], values: number): Guess | undefined {
  const words = texts.map((text) => /\p{L}{3,}/u.exec(text)?.[0].toLowerCase());
  if (words.length === 0 || !texts.every((text) => /\d/.test(text))) return undefined;
  for (const [language, locale] of Object.entries(languages)) {
    const months = listMonths(locale);
    if (!words.every((word) => word !== undefined && months.has(word))) continue;
    return {
      form: { type: 'date', matches: () => 'true', value: (v) => v },
      count: values,
      csv: {},
      advice: `dates with ${language} months (${texts.slice(0, 3).join(', ')}); no option can read them; write the months as numbers, such as 2024-05, or in English`,
    };
  }
  return undefined;
}

import type { Catalogue } from './catalogue.ts';

/** Each language is a file of its own, so that a reader loads one. */
const files = import.meta.glob<Catalogue>('./*.json', { import: 'default' });

const fileOf = (language: string) => `./${language}.json`;

/**
 * Loads the texts in the first language that has a catalogue: that of `locale`, then those of the
 * browser, then English.
 *
 * @param locale BCP 47 tag of the host; an invalid one is ignored
 */
export function loadCatalogue(locale?: string): Promise<Catalogue> {
  const candidates = [locale, ...navigator.languages].flatMap(listCandidates);
  const language = candidates.find((candidate) => fileOf(candidate) in files) ?? 'en';
  return files[fileOf(language)]!();
}

/** `de-AT`, then `de`. */
function listCandidates(tag: string | undefined): string[] {
  try {
    const { baseName, language } = new Intl.Locale(tag ?? '');
    return [baseName, language];
  } catch {
    return [];
  }
}

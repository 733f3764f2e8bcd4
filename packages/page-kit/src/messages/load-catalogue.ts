import type { Catalogue } from './catalogue.ts';

/** Each language is a file of its own, so that a reader loads one. */
const files = import.meta.glob<Catalogue>('./*.json', { import: 'default' });

/** The document's own language, before a locale of the host changes it. */
let fallback: string | undefined;

/**
 * Loads the texts in the first language that has a catalogue: that of `locale`, then those of the
 * browser, then that of the document, which the service has chosen, then English.
 *
 * @param locale BCP 47 tag of the host; an invalid one is ignored
 */
export function loadCatalogue(locale?: string): Promise<Catalogue> {
  fallback ??= document.documentElement.lang;
  const load = [locale, ...navigator.languages, fallback, 'en']
    .flatMap(listCandidates)
    .map((tag) => files[`./${tag}.json`])
    .find((found) => found);
  return load!();
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

import { expect, it, vi } from 'vitest';

import { loadCatalogue } from './load-catalogue.ts';

it.each([
  ['de', [], 'de'],
  ['de-AT', ['es'], 'de'],
  ['pt-br', [], 'pt'],
  [undefined, ['fr-FR', 'es-MX', 'de'], 'es'],
  ['fr', ['pt'], 'pt'],
  ['not a tag', ['C', 'de'], 'de'],
  ['ar-XB', ['de'], 'ar-XB'],
  ['ar', [], 'en'],
  ['', [], 'en'],
])('the locale %s in a browser with %j has the texts of %s', async (locale, own, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(own);
  expect((await loadCatalogue(locale)).language).toBe(language);
});

it('the language of the document applies if no browser language has texts, also after a locale', async () => {
  vi.resetModules();
  document.documentElement.lang = 'pt';
  const fresh = await import('./load-catalogue.ts');
  const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['ja', 'fr']);
  expect((await fresh.loadCatalogue()).language).toBe('pt');
  document.documentElement.lang = 'de';
  expect((await fresh.loadCatalogue('fr')).language).toBe('pt');
  languages.mockReturnValue(['ja', 'es']);
  expect((await fresh.loadCatalogue()).language).toBe('es');
  document.documentElement.lang = '';
});

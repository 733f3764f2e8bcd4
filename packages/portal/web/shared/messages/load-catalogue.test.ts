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

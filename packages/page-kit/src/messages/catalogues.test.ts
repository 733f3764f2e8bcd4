import fs from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Catalogue, Message } from './catalogue.ts';
import english from './en.json';
import { createPseudo } from './test/create-pseudo.ts';

const read = (file: string) =>
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, file), 'utf8')) as Catalogue;
const files = fs.readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
const translations = files.filter((name) => name !== 'ar-XB.json');

const formsOf = (message: Message): Record<string, string> =>
  typeof message === 'string' ? { other: message } : { ...message };
const placeholdersOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted();

it('English, Portuguese, Spanish and German have a catalogue', () => {
  expect(files).toEqual(expect.arrayContaining(['en.json', 'pt.json', 'es.json', 'de.json']));
});

describe.each(files)('the catalogue %s', (file) => {
  const { language, messages } = read(file);

  it('a catalogue is named after its language', () => {
    expect(`${language}.json`).toBe(file);
    expect(Intl.getCanonicalLocales(language)).toEqual([language]);
  });

  it('a catalogue has the messages of English, in the same order', () => {
    expect(Object.keys(messages)).toEqual(Object.keys(english.messages));
  });

  it('a catalogue has the placeholders of English, in each plural form', () => {
    const placeholders = Object.entries(messages).map(([key, message]) => {
      const found = Object.values(formsOf(message)).map((text) => placeholdersOf(text).join(' '));
      return [key, [...new Set(found)].join(' or ')];
    });
    const expected = Object.entries(english.messages).map(([key, message]) => [
      key,
      placeholdersOf(formsOf(message)['other']!).join(' '),
    ]);
    expect(placeholders).toEqual(expected);
  });

  it('a catalogue has no empty text, and no space at an end', () => {
    const texts = Object.values(messages).flatMap((message) => Object.values(formsOf(message)));
    for (const text of texts) expect(text).toMatch(/^\S(.*\S)?$/s);
  });
});

it.each(translations)('the plural forms of %s are those of its language', (file) => {
  const { language, messages } = read(file);
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const plurals = Object.values(messages).filter((message) => typeof message !== 'string');
  expect(plurals.map((forms) => Object.keys(forms).toSorted())).toEqual(
    plurals.map(() => pluralCategories.toSorted()),
  );
});

// Run this file with `-u` after its path to write the pseudo-locale again.
it('the pseudo-locale is generated from English', async () => {
  const text = `${JSON.stringify(createPseudo(english), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('./ar-XB.json');
});

import type { Message } from 'page-kit/messages/catalogue';
import { expect, it } from 'vitest';

import { english } from './en/index.ts';
import { loadFormats, operations } from './messages.ts';
import { portuguese } from './pt/index.ts';

/** The values that all plural forms use. The form for one item may omit its count. */
const placeholdersOf = (message: Message) => {
  const forms = typeof message === 'string' ? [message] : Object.values(message);
  const names = forms.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!));
  return [...new Set(names)].toSorted();
};

it('Portuguese has the messages of English, with the same placeholders', () => {
  expect(Object.keys(portuguese)).toEqual(Object.keys(english));
  const expected = Object.entries(english).map(([key, message]) => [key, placeholdersOf(message)]);
  expect(
    Object.entries(portuguese).map(([key, message]) => [key, placeholdersOf(message)]),
  ).toEqual(expected);
});

it('the first language of the browser that has texts is used, else English', async () => {
  const languageOf = async (...tags: string[]) => (await loadFormats(tags)).language;
  expect(await languageOf('pt-BR', 'en')).toBe('pt');
  expect(await languageOf('fr', 'pt')).toBe('pt');
  expect(await languageOf('fr')).toBe('en');
});

it('the language of an organization applies if no browser language has texts, and its time zone always does', async () => {
  const defaults = { language: 'pt-BR', timeZone: 'America/Sao_Paulo' };
  const formats = await loadFormats(['ja'], defaults);
  expect(formats.language).toBe('pt');
  expect((await loadFormats(['ja', 'en'], defaults)).language).toBe('en');
  expect((await loadFormats(['ja'], { ...defaults, language: 'fi' })).language).toBe('en');
  const moment = '2026-11-24T01:30:00Z';
  expect(formats.formatTime(moment)).toBe('23 de nov. de 2026, 22:30');
  expect(formats.formatDate(moment)).toBe('23 de nov. de 2026');
  for (const day of ['2026-11-24', '2026-11-24T01:30'])
    expect(formats.formatDay(day)).toBe('24 de nov. de 2026');
});

it('no text sends an administrator to "your administrator"', () => {
  const texts = [...Object.values(english), ...Object.values(portuguese)].map((text) =>
    JSON.stringify(text),
  );
  expect(
    texts.filter((text) => /your administrator|\b(seu|ao|o) administrador/i.test(text)),
  ).toEqual([]);
});

it('no two operations of the activity log have the same words', () => {
  for (const messages of [english, portuguese] as Record<string, Message>[]) {
    const words = operations.map((name) => messages[`operation.${name}`]);
    expect(words.filter((text, at) => words.indexOf(text) !== at)).toEqual([]);
  }
});

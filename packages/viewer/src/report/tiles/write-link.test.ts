import type { Key } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { writeLink } from './write-link.ts';

const write = (link: (string | number)[], ...keys: Key[]) =>
  writeLink({ name: 'Name', kind: 'category', link }, keys);

it.each<[string, Key, string]>([
  ['a text', 'A & B/C?d#e', 'https://a.example/A%20%26%20B%2FC%3Fd%23e/x'],
  [
    'a text in another script',
    'Zürich 東京',
    'https://a.example/Z%C3%BCrich%20%E6%9D%B1%E4%BA%AC/x',
  ],
  ['a scheme', 'javascript:alert(1)', 'https://a.example/javascript%3Aalert(1)/x'],
  ['another host', '//evil.example', 'https://a.example/%2F%2Fevil.example/x'],
  ['a quote', '"><script>', 'https://a.example/%22%3E%3Cscript%3E/x'],
  ['an encoded dot', '%2e%2e', 'https://a.example/%252e%252e/x'],
  ['a number', 12.5, 'https://a.example/12.5/x'],
  ['false', false, 'https://a.example/false/x'],
  ['three dots', '...', 'https://a.example/.../x'],
])('%s stays inside its part of the path', (_name, key, address) => {
  expect(write(['https://a.example/', 0, '/x'], key)).toBe(address);
  expect(new URL(address).href).toBe(address);
});

it.each<[string, (string | number)[], Key[]]>([
  ['a missing value', ['https://a.example/', 0], [null]],
  ['one missing value of two', ['https://a.example/', 0, '/', 1], ['x', null]],
  ['a path that leads up', ['https://a.example/x/', 0], ['..']],
  ['a path that leads up in two parts', ['https://a.example/x/', 0, 1, '/y'], ['.', '.']],
  ['a path that stays where it is', ['https://a.example/x/', 0, '?q=1'], ['.']],
  ['a line break', ['mailto:', 0], ['a@b.example\nBcc: x']],
  ['half of a character', ['https://a.example/', 0], ['\ud800']],
])('%s gives no link', (_name, link, keys) => {
  expect(write(link, ...keys)).toBeUndefined();
});

it('dots in the query and the fragment are no paths', () => {
  expect(write(['https://a.example/?q=/', 0, '/#/', 1, '/'], '..', '.')).toBe(
    'https://a.example/?q=/../#/./',
  );
});

it('a dimension without a link has none', () => {
  expect(writeLink({ name: 'Name', kind: 'category' }, ['x'])).toBeUndefined();
});

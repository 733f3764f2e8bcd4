import { expect, it } from 'vitest';

import { groupRows, splitRows } from './rows.ts';

async function* cut(text: string, size: number) {
  for (let start = 0; start < text.length; start += size)
    yield Buffer.from(text.slice(start, start + size));
}

async function split(text: string, maxBytes: number, size: number) {
  const parts: [string, number][] = [];
  for await (const part of splitRows(cut(text, size), maxBytes))
    parts.push([part.text.toString(), part.count]);
  return parts;
}

it.each([1, 3, 5, 100])(
  'parts consist of whole rows and do not depend on chunks of %d bytes',
  async (size) => {
    const text = 'a\nbb\nccc\ndddddddddddddd\ne\n\nf\n';
    expect(await split(text, 8, size)).toEqual([
      ['a\nbb\n', 2],
      ['ccc\n', 1],
      ['dddddddddddddd\n', 1],
      ['e\n\nf\n', 3],
    ]);
    expect(await split(text, 1_000, size)).toEqual([[text, 7]]);
  },
);

it('a table without rows has no parts', async () => {
  expect(await split('', 8, 1)).toEqual([]);
});

it('groups have at most the given number of rows', () => {
  const groups = [...groupRows(Buffer.from('a\nb\nc\nd\ne\n'), 2)].map(String);
  expect(groups).toEqual(['a\nb\n', 'c\nd\n', 'e\n']);
  expect([...groupRows(Buffer.from('a\nb\n'), 2)].map(String)).toEqual(['a\nb\n']);
});

import { expect, it } from 'vitest';

import { generateApiKey, isApiKey } from './format.ts';

it('generateApiKey returns keys of 256 random bits that isApiKey accepts', () => {
  const keys = Array.from({ length: 100 }, generateApiKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(isApiKey(key)).toBe(true);
    expect(Buffer.from(key.slice(4, 47), 'base64url')).toHaveLength(32);
  }
});

it('isApiKey accepts a key of an earlier release', () => {
  expect(isApiKey(`pek_${'A'.repeat(43)}_0f007385`)).toBe(true);
});

it('isApiKey rejects a key with any one character changed, added or removed', () => {
  const key = generateApiKey();
  for (let index = 0; index < key.length; index++) {
    const [before, after] = [key.slice(0, index), key.slice(index + 1)];
    const other = key[index] === '0' ? '1' : '0';
    expect(isApiKey(before + other + after)).toBe(false);
    expect(isApiKey(before + after)).toBe(false);
    expect(isApiKey(`${before}0${key.slice(index)}`)).toBe(false);
  }
  for (const text of ['', `${key}\n`, ` ${key}`, key.toUpperCase()])
    expect(isApiKey(text)).toBe(false);
});

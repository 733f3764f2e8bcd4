import { describe, expect, it } from 'vitest';

import { createRedact, removeCredentials } from './redact.ts';

const url = 'https://portal.example';

describe('the values of headers', () => {
  const redactOf = (headers: Record<string, string>) =>
    createRedact({ keys: [], headers, urls: [url] });

  it.each([
    ['a cookie of several', { Cookie: 'a=1; session=s3cret; b=2' }, 's3cret'],
    ['a cookie in quotation marks', { Cookie: 'session="s3cret"' }, 's3cret'],
    ['a cookie with an equals sign', { Cookie: 'session=s3cr=t' }, 's3cr=t'],
    ['a decoded cookie', { Cookie: 'session=s3%2Fcret' }, 's3/cret'],
    ['an encoded cookie', { Cookie: 'session=s3/cret' }, 's3%2Fcret'],
    ['a cookie in JSON', { Cookie: 'session=s3"cret' }, String.raw`s3\"cret`],
    ['the token of a scheme', { Authorization: 'Bearer s3cret' }, 's3cret'],
    ['the password of Basic', { Authorization: `Basic ${btoa('west:s3cret')}` }, 's3cret'],
    ['a whole header', { 'X-Session': 's3cret' }, 's3cret'],
  ])('%s is removed', (_, headers, secret) => {
    expect(redactOf(headers)(`got ${secret}.`)).toBe('got [secret].');
  });

  it('short values remain, because other texts contain them', () => {
    expect(redactOf({ Cookie: 'a=1; b=true' })('1 is true')).toBe('1 is true');
  });
});

it('a long run of characters of a key is removed, but no e-mail of a user of the run', () => {
  const redact = createRedact({ keys: [], headers: {}, urls: [url] });
  const email = `portal-conformance-1f0b6f1f-${'x'.repeat(20)}@example.com`;
  expect(redact(`${'k'.repeat(40)} of ${email}`)).toBe(`[secret] of ${email}`);
});

describe('an address with credentials', () => {
  const withPassword = 'https://west:s3%2Fcret@portal.example/api';

  it('is shown without them', () => {
    expect(removeCredentials(withPassword)).toBe('https://portal.example/api');
    expect(removeCredentials('https://token@portal.example')).toBe('https://portal.example/');
    expect(removeCredentials(url)).toBe(url);
  });

  it.each([
    ['the password', withPassword, 's3/cret'],
    ['the encoded password', withPassword, 's3%2Fcret'],
    ['the header that Node sends', withPassword, btoa('west:s3/cret')],
    ['a user name without a password', 'https://t0ken@portal.example', 't0ken'],
  ])('%s is removed', (_, address, secret) => {
    const redact = createRedact({ keys: [], headers: {}, urls: [undefined, address] });
    expect(redact(`got ${secret}.`)).toBe('got [secret].');
  });
});

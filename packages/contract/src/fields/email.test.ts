import fc from 'fast-check';
import { readSeed } from 'test-support/seed';
import { describe, expect, it } from 'vitest';

import { email, emailFilter, emailKey } from './email.ts';

fc.configureGlobal({ seed: readSeed() });

const isAccepted = (value: unknown) => email.safeParse(value).success;

describe('an e-mail address', () => {
  it.each([
    'west@acme.example',
    "zoe.o'hara+test@acme.example",
    '!#$%&*-/=?^_`{|}~@acme.example',
    'West@ACME.Example',
    'west@localhost',
    'west@sub-domain.acme.example',
    'west@1a.2.example',
    'jürgen@acme.example',
    'west@müller.example',
    '用户@例子.广告',
    'अजय@डाटा.भारत',
    'квіточка@пошта.укр',
    'χρήστης@παράδειγμα.ελ',
    '😀@acme.example',
    '""@acme.example',
    '"two words"@acme.example',
    '"a@b"@acme.example',
    '"a\\"b\\\\c"@acme.example',
    '"jürgen"@acme.example',
    '"a/b?c#d"@acme.example',
    'west@[192.0.2.1]',
    'west@[IPv6:2001:db8::1]',
  ])('%s is an e-mail address', (value) => {
    expect(email.parse(value)).toBe(value);
  });

  it.each([
    '',
    'west',
    '@acme.example',
    'west@',
    'west@@acme.example',
    'west@acme@example',
    '.west@acme.example',
    'west.@acme.example',
    'we..st@acme.example',
    'two words@acme.example',
    'west@acme..example',
    'west@.example',
    'west@acme.example.',
    'west@-acme.example',
    'west@acme-.example',
    'west@ac_me.example',
    'west@acme.example\n',
    ' west@acme.example',
    'west@acme.example,east@acme.example',
    'West <west@acme.example>',
    '"west@acme.example',
    '"we"st"@acme.example',
    '"west\\"@acme.example',
    '"we\nst"@acme.example',
    'we\0st@acme.example',
    'we\u0085st@acme.example',
    'we\u2028st@acme.example',
    'we\ud800st@acme.example',
    'west@😀.example',
    'west@acme .example',
    'west@[acme]',
    'west@[192.0.2.1',
    7,
    null,
    ['west@acme.example'],
  ])('%j is not an e-mail address', (value) => {
    expect(isAccepted(value)).toBe(false);
  });

  it.each([
    ['\u212aelvin@acme.example', 'U+212A', 'k'],
    ['we\u017ft@acme.example', 'U+017F', 's'],
    ['\uff57est@acme.example', 'U+FF57', 'w'],
    ['west\uff20acme.example', 'U+FF20', '@'],
    ['west@acme\uff0eexample', 'U+FF0E', '.'],
    ['west@acme.ex\u1d43mple', 'U+1D43', 'a'],
    ['o\ufb03ce@acme.example', 'U+FB03', 'ffi'],
    ['\u{1d430}est@acme.example', 'U+1D430', 'w'],
    ['\u0130stanbul@acme.example', 'U+0130', 'i\u0307'],
    ['"two\u00a0words"@acme.example', 'U+00A0', ' '],
    ['west\u2075@acme.example', 'U+2075', '5'],
  ])('%j is refused with the character to replace', (value, code, replacement) => {
    const message = `must not contain the character ${code}, which can be taken for "${replacement}"; write it in ASCII`;
    for (const schema of [email, emailFilter])
      expect(schema.safeParse(value).error?.issues).toContainEqual(
        expect.objectContaining({ message }),
      );
  });

  it('no accepted character has an ASCII form', () => {
    const hasAsciiForm = (character: string) =>
      /[ -~]/.test(emailKey(character) + character.normalize('NFKC'));
    const points = Array.from({ length: 0x11_00_00 - 0x80 }, (_, index) => index + 0x80);
    const lookalikes = points.map((point) => String.fromCodePoint(point)).filter(hasAsciiForm);
    expect(lookalikes.length).toBeGreaterThan(1_000);
    expect(lookalikes.filter((character) => isAccepted(`${character}@acme.example`))).toEqual([]);
  });

  it('has at most 254 bytes in UTF-8', () => {
    const domain = '@acme.example';
    for (const [letter, bytes] of [
      ['x', 1],
      ['ü', 2],
      ['用', 3],
    ] as const) {
      const maxLetters = Math.floor((254 - domain.length) / bytes);
      expect(isAccepted(letter.repeat(maxLetters) + domain)).toBe(true);
      expect(email.safeParse(letter.repeat(maxLetters + 1) + domain).error?.issues).toMatchObject([
        { message: 'must have at most 254 bytes in UTF-8' },
      ]);
    }
  });

  it('parsing an e-mail address normalizes it to form C', () => {
    const composed = 'jürgen@acme.example';
    expect(composed.normalize('NFD')).not.toBe(composed);
    expect(email.parse(composed.normalize('NFD'))).toBe(composed);
    expect(emailFilter.parse('JÜR'.normalize('NFD'))).toBe('JÜR');
  });
});

describe('emailKey', () => {
  it('is the same in each letter case and normalization form', () => {
    const spellings = ['JÜRGEN@Acme.example', 'jürgen@acme.example', 'Jürgen@ACME.EXAMPLE'];
    const keys = spellings.flatMap((each) => [each, each.normalize('NFD')]).map(emailKey);
    expect(new Set(keys)).toEqual(new Set(['jürgen@acme.example']));
  });

  it('is idempotent for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const key = emailKey(text);
        expect(emailKey(key)).toBe(key);
        expect(emailKey(text.normalize('NFD'))).toBe(key);
      }),
    );
  });
});

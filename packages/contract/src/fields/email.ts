import { z } from 'zod';

import { countUtf8Bytes, requestLimits, storableText, textFilter } from './scalars.ts';

// Local part and domain of RFC 5321, section 4.1.2, with the characters that RFC 6531 adds. The
// pattern is unambiguous, so a long value takes linear time.
const wide = String.raw`[^\x00-\x7f]`;
const atom = `(?:[\\w!#$%&'*+\\-/=?^\`{|}~]|${wide})+`;
const quoted = String.raw`"(?:[ !#-\[\]-~]|${wide}|\\[ -~])*"`;
const letter = String.raw`[A-Za-z0-9]|(?![\x00-\x7f])[\p{L}\p{M}\p{N}\u00b7\u0375\u05f3\u05f4\u200c\u200d\u30fb]`;
const label = `(?:${letter})(?:-*(?:${letter}))*`;
const literal = String.raw`\[(?:\d{1,3}(?:\.\d{1,3}){3}|[A-Za-z0-9][A-Za-z0-9-]*:[!-Z^-~]+)\]`;
const address = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quoted})@(?:${label}(?:\\.${label})*|${literal})$`,
  'u',
);
// Mail systems do not deliver to addresses with these characters.
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);
const hasAscii = (text: string) => /[ -~]/.test(text);

/**
 * Refuses characters that normalizing replaces by ASCII ones, such as the KELVIN SIGN or a full-width
 * letter: with them, one address could be taken for another. The check comes before any normalization.
 */
export function refuseLookalikes(ctx: z.core.ParsePayload<string>): void {
  if (ctx.value.length > requestLimits.email || isAscii(ctx.value)) return;
  for (const character of ctx.value) {
    const normalized = [character.toLowerCase(), character.normalize('NFKC')];
    const replacement = hasAscii(character) ? undefined : normalized.find(hasAscii);
    if (replacement === undefined) continue;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const message = `must not contain the character U+${code}, which can be taken for "${replacement}"; write it in ASCII`;
    ctx.issues.push({ code: 'custom', message, input: ctx.value });
    return;
  }
}

const isEmail = (value: string) => address.test(value) && !unprintable.test(value);

/**
 * An e-mail address of RFC 5321 or RFC 6531, such as `jürgen@acme.example`. Parsing converts it to
 * normalization form C, because some systems send `ü` as one code point and others as two.
 */
export const email = z
  .string()
  .check(refuseLookalikes)
  .normalize('NFC')
  .check((ctx) => {
    const fail = (message: string) =>
      ctx.issues.push({ code: 'custom', message, input: ctx.value });
    // The length in characters is checked first, because counting the bytes of a long value is slow.
    if (ctx.value.length > requestLimits.email || countUtf8Bytes(ctx.value) > requestLimits.email)
      fail(`must have at most ${requestLimits.email} bytes in UTF-8`);
    else if (!isEmail(ctx.value)) fail('must be an e-mail address');
  })
  .meta({ format: 'idn-email', maxLength: requestLimits.email });

/** A search text for e-mails, normalized like `email`. */
export const emailFilter = textFilter(
  requestLimits.email,
  storableText(requestLimits.email).check(refuseLookalikes).normalize('NFC'),
);

/** Computes the key that makes e-mails unique. All spellings of an e-mail have the same key. */
export const emailKey = (value: string): string => value.toLowerCase().normalize('NFC');

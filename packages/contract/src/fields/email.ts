import { z } from 'zod';

import { storableText, requestLimits, textFilter } from './scalars.ts';

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

const isEmail = (value: string) => address.test(value) && !unprintable.test(value);

/** Bytes in UTF-8. */
function lengthInBytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += 1 + Number(point > 0x7f) + Number(point > 0x7ff) + Number(point > 0xffff);
  }
  return bytes;
}

/**
 * An e-mail address of RFC 5321 or RFC 6531, such as `jürgen@acme.example`, in normalization form C:
 * some systems send `ü` as one code point, others as two.
 */
export const email = z
  .string()
  .normalize('NFC')
  .check((ctx) => {
    const fail = (message: string) =>
      ctx.issues.push({ code: 'custom', message, input: ctx.value });
    // Every character takes at least a byte, so a long value need not be counted.
    if (ctx.value.length > requestLimits.email || lengthInBytes(ctx.value) > requestLimits.email)
      fail(`must have at most ${requestLimits.email} bytes in UTF-8`);
    else if (!isEmail(ctx.value)) fail('must be an e-mail address');
  })
  .meta({ format: 'idn-email', maxLength: requestLimits.email });

/** An e-mail, or a part of one, to search for, normalized like `email`. */
export const emailFilter = textFilter(
  requestLimits.email,
  storableText(requestLimits.email).normalize('NFC'),
);

/** The key by which e-mails are unique, found and sorted: the same for all spellings. */
export const emailKey = (value: string): string => value.toLowerCase().normalize('NFC');

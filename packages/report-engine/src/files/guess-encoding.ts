import type { Encoding } from '@portal-embed/report-model';

import { high, lower, upper, type ByteProfile } from './byte-profile.ts';
import { decodePart } from './encodings.ts';

/** Encodings of one byte for each character that are compared, the most frequent first. */
const singleBytes = [
  'windows-1252',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'windows-1254',
  'macintosh',
  'ibm850',
  'ibm866',
  'koi8-r',
] as const satisfies Encoding[];

/** Encodings in which most characters have two bytes. */
export const doubleBytes = ['shift_jis', 'gb18030'] as const satisfies Encoding[];

/** The most encodings of a question. */
const maxAsked = 4;

/** The characters of the bytes from 0x80. */
function listCharacters(encoding: Encoding): string[] {
  const bytes = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index);
  return decodePart(bytes, encoding).split('');
}

const isLetter = (character: string) => /\p{L}/u.test(character);
const isUpper = (character: string) => /\p{Lu}/u.test(character);
const isLower = (character: string) => /\p{Ll}/u.test(character);
const isLatin = (character: string) => !/\p{Script=Cyrillic}/u.test(character);

/** Signs that stand between the letters of one word or two. */
const joining = /[’‘'´`·\-–—\u00a0\u00ad/&]/;

/** Signs that stand at the beginning or the end of a word. */
const leading = /[„“‚‘«‹»›¿¡€£$¥©#§°±•–—…\u00a0“”"†‡μ]/;
const trailing = /[”“’‘»›«‹®™©°²³¹ªº€…–—!?%\u00a0†‡]/;

/** Letters of windows-1252 that only Icelandic has, and that other encodings read in frequent words. */
const rare = /[ðþýÐÞÝ]/;

/**
 * How many bytes of a file an encoding reads as characters that no word has there: a sign within a word,
 * an upper-case letter after a lower-case one, letters of two scripts, four accented letters in a row.
 */
function countOdd(profile: ByteProfile, encoding: Encoding): number {
  const characters = listCharacters(encoding);
  const charOf = (byte: number) => characters[byte - 0x80]!;
  let odd = characters.some((each) => /\p{Script=Cyrillic}/u.test(each)) ? 0 : profile.runs;
  for (const { byte, before, after, count } of profile.contexts())
    if (isOdd(charOf(byte), before, after, encoding)) odd += count;
  for (const { first, second, count } of profile.pairs())
    if (isOddPair(charOf(first), charOf(second))) odd += count;
  return odd;
}

const isAsciiLetter = (kind: number) => kind === lower || kind === upper;

function isOdd(character: string, before: number, after: number, encoding: Encoding): boolean {
  if (/[\p{Cc}\p{Cn}\p{Co}\uFFFD\p{So}\p{Sk}ﬁﬂ]/u.test(character) && !/[®©°]/.test(character))
    return true;
  if (encoding === 'windows-1252' && rare.test(character)) return true;
  const [followsLetter, precedesLetter] = [isAsciiLetter(before), isAsciiLetter(after)];
  if (isLetter(character)) {
    if (!isLatin(character)) return followsLetter || precedesLetter;
    if (!isUpper(character)) return false;
    return before === lower ? after !== high : before === upper && after === lower;
  }
  if (followsLetter && precedesLetter) return !joining.test(character);
  if (precedesLetter) return !leading.test(character);
  return followsLetter && !trailing.test(character) && !joining.test(character);
}

const isOddPair = (first: string, second: string): boolean =>
  (isLetter(first) && !isLetter(second) && !trailing.test(second) && !joining.test(second)) ||
  (isLower(first) && isUpper(second)) ||
  (isLetter(first) && isLetter(second) && isLatin(first) !== isLatin(second));

/** Whether words have letters that windows-1252 has below 0xA0 and old Macs have for frequent ones. */
function isOfApple(profile: ByteProfile): boolean {
  const characters = listCharacters('windows-1252');
  return [...profile.contexts()].some(
    ({ byte, before, after }) =>
      byte < 0xa0 &&
      isLetter(characters[byte - 0x80]!) &&
      (isAsciiLetter(before) || isAsciiLetter(after)),
  );
}

/** Central European letters, as windows-1250 and iso-8859-2 have them. */
const polish = /^[ąćęłńóśźż]+$/i;
const hungarian = /^[áéíóöőúüű]+$/i;
const slavic = /^[áäčćďđéěíľĺňóôŕřšťúůýž]+$/i;

/** Polish letters that windows-1252 reads as superscripts. */
const superscripts = /[ął]/;

/** How many of some letters are among others. */
const countOf = (letters: string, some: RegExp) => letters.match(some)?.length ?? 0;

/** Whether all letters that are not ASCII are those of one language that windows-1252 cannot write. */
function isCentral(profile: ByteProfile, encoding: 'windows-1250' | 'iso-8859-2'): boolean {
  const characters = listCharacters(encoding);
  const inWords = [...profile.contexts()].filter(({ before, after }) =>
    [before, after].some((kind) => isAsciiLetter(kind) || kind === high),
  );
  const letters = [...new Set(inWords.map(({ byte }) => characters[byte - 0x80]!))]
    .filter(isLetter)
    .join('');
  if (countOdd(profile, encoding) > 0) return false;
  if (polish.test(letters)) return superscripts.test(letters) || countOf(letters, /[^ó]/gi) > 1;
  if (hungarian.test(letters)) return /ő/i.test(letters) && /[öüű]/i.test(letters);
  return (
    slavic.test(letters) &&
    /[řšťýž]/i.test(letters) &&
    /[čćďěňřů]/i.test(letters) &&
    countOf(letters, /[čćďěňřšťůýž]/gi) > 1 &&
    // Danish has the bytes of ć and ř.
    countOf(letters, /[čďěňšťůýž]/gi) > 0
  );
}

/** Leaves out encodings that read the bytes of a file like an earlier one. */
function dropRepeated(profile: ByteProfile, encodings: readonly Encoding[]): Encoding[] {
  const bytes = Uint8Array.from(new Set([...profile.contexts()].map(({ byte }) => byte)));
  const known = new Map(encodings.toReversed().map((each) => [decodePart(bytes, each), each]));
  return encodings.filter((each) => known.get(decodePart(bytes, each)) === each);
}

/**
 * The encodings that a file that is not UTF-8 can have, the likeliest first. One: no other is likely.
 * Those of `doubleBytes` are not among them.
 */
export function listEncodings(profile: ByteProfile): Encoding[] {
  const central = (['windows-1250', 'iso-8859-2'] as const).find((each) =>
    isCentral(profile, each),
  );
  const counted = singleBytes.map((encoding) => ({ encoding, odd: countOdd(profile, encoding) }));
  const [western] = counted;
  const isApple = isOfApple(profile) && countOdd(profile, 'macintosh') === 0;
  if (western!.odd === 0 && !isApple && central === undefined)
    return profile.utf8 > 0 ? ['utf-8-or-windows-1252', 'windows-1252'] : ['windows-1252'];
  const likely = counted
    .toSorted(
      (one, another) =>
        Number(another.encoding === central) - Number(one.encoding === central) ||
        one.odd - another.odd,
    )
    // The most frequent encoding is always offered.
    .filter((each) => each === western || each.odd <= profile.total / 10)
    .map(({ encoding }): Encoding => encoding);
  const listed = dropRepeated(profile, likely).slice(0, maxAsked);
  if (!listed.includes('windows-1252')) listed.push('windows-1252');
  if (profile.utf8 > 0) listed.push('utf-8-or-windows-1252');
  return listed.length > 1 ? listed : [...listed, 'macintosh'];
}

/** Whether most characters probably have two bytes. */
export const hasDoubleBytes = ({ total, beside }: ByteProfile): boolean => beside > total * 0.8;

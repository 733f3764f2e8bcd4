/** What a number format makes of a number. */
export type CellFormat =
  | { kind: 'number' | 'percent' | 'date' | 'datetime' | 'time' | 'duration' }
  | { kind: 'currency'; sign: string; locale?: number };

const number: CellFormat = { kind: 'number' };

/** The formats without a code, by id. Those of currencies depend on the computer that shows them. */
export function readBuiltIn(id: number): CellFormat {
  if (id === 9 || id === 10) return { kind: 'percent' };
  if (id === 22) return { kind: 'datetime' };
  if (id === 46) return { kind: 'duration' };
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return { kind: 'time' };
  // 27 to 36 and 50 to 58 are dates, and some are times, in East Asian languages.
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58))
    return { kind: 'date' };
  return number;
}

/** Excel writes no longer codes. The time to read one grows with the square of its length. */
const maxCode = 255;

const isoCodes = new Set(Intl.supportedValuesOf('currency'));

/** Reads the first section of a format code, such as `#,##0.00 "€";[Red]-#,##0.00 "€"`. */
export function readFormatCode(code: string): CellFormat {
  const { letters, texts, hasElapsed, currency } = splitCode(code.slice(0, maxCode));
  if (/^general$/i.test(letters.trim())) return number;
  if (hasElapsed) return { kind: 'duration' };
  const symbols = letters
    .toLowerCase()
    .replace(/am\/pm|a\/p/g, 'h')
    .replace(/e[-+]/g, '');
  const hasTime = /[hs]/.test(symbols);
  // Beside hours or seconds, `m` is minutes.
  const hasDay = /[ydeg]/.test(symbols) || (/m/.test(symbols) && !hasTime) || /m{3}/.test(symbols);
  if (hasDay && hasTime) return { kind: 'datetime' };
  if (hasDay) return { kind: 'date' };
  if (hasTime) return { kind: 'time' };
  if (letters.includes('%')) return { kind: 'percent' };
  if (currency) return { kind: 'currency', ...currency };
  const sign = findCurrency(`${letters} ${texts}`);
  return sign === undefined ? number : { kind: 'currency', sign };
}

/** A currency sign, or an ISO 4217 code. */
function findCurrency(text: string): string | undefined {
  const sign = /\p{Sc}/u.exec(text)?.[0];
  return sign ?? text.match(/\b[A-Z]{3}\b/g)?.find((word) => isoCodes.has(word));
}

/** Separates the symbols of the first section from its literal texts. */
function splitCode(format: string) {
  let [letters, texts] = ['', ''];
  let hasElapsed = false;
  let currency: { sign: string; locale?: number } | undefined;
  const parts = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]|;|[^"\\_*[;]+|./gsu;
  for (const [part, quoted, escaped, bracket] of format.matchAll(parts)) {
    if (part === ';') break;
    if (quoted !== undefined) texts += quoted;
    else if (escaped !== undefined) texts += escaped;
    else if (bracket !== undefined) {
      if (/^(h+|m+|s+)$/i.test(bracket)) hasElapsed = true;
      const [, sign, locale = ''] = /^\$([^-]+)(?:-(.*))?$/.exec(bracket) ?? [];
      const code = /^[\da-f]+$/i.test(locale) ? parseInt(locale, 16) & 0xffff : undefined;
      if (sign !== undefined) currency ??= { sign, ...(code !== undefined && { locale: code }) };
    } else if (!/^[_*]./su.test(part)) letters += part;
  }
  return { letters, texts, hasElapsed, currency };
}

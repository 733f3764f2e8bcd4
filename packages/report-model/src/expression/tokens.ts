import { ExpressionError } from './error.ts';
import type { Span } from './tree.ts';

const keywords = new Set(
  'and or not is null in between case when then else end true false'.split(' '),
);

export interface Token extends Span {
  kind: 'name' | 'text' | 'integer' | 'decimal' | 'keyword' | 'symbol' | 'end';
  /** Quotes are resolved, and keywords are in lower case. */
  value: string;
  /** As it is written. */
  source: string;
}

const patterns = {
  space: /[ \t\r\n]+/y,
  name: /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy,
  number: /\d[\p{L}\d_.]*/uy,
  quotedName: /"(?:[^"]|"")*"/y,
  text: /'(?:[^']|'')*'/y,
  symbol: /<>|<=|>=|\|\||--|\/\*|==|!=|&&|[-+*/%=<>(),]/y,
};

const notSymbols: Partial<Record<string, string>> = {
  '--': 'comments are not supported; write a space between two minus signs',
  '/*': 'comments are not supported',
  '==': 'write = once',
  '!=': 'write <> for "not equal"',
  '&&': 'write and',
};

/** What to write instead of a character that begins no token. */
const notTokens: [characters: string, advice: string][] = [
  ['"', 'the name has no closing double quote'],
  ["'", 'the text has no closing quote'],
  ['[]`', 'write names in double quotes, such as "Order Date"'],
  ['“”„«»', 'write names in straight double quotes, such as "Order Date"'],
  ['‘’‚', "write text in straight quotes, such as 'West'"],
  ['&|', 'write || to join texts, or and, or'],
  ['.', 'write 0.5 with its zero, and a name with a dot in double quotes: "a.b"'],
  ['^', 'powers are not supported'],
  [';', 'an expression has no semicolon'],
  ['!', 'write not, or <> for "not equal"'],
];

/** The text at `start` that a pattern matches. */
function match(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

function readToken(text: string, start: number): Token {
  const token = (kind: Token['kind'], source: string, value = source): Token => ({
    kind,
    value,
    source,
    start,
    end: start + source.length,
  });
  const fail = (source: string, message: string): never => {
    throw new ExpressionError(message, { start, end: start + source.length });
  };

  const name = match(patterns.name, text, start);
  if (name !== undefined) {
    const lowerCase = name.toLowerCase();
    return keywords.has(lowerCase) ? token('keyword', name, lowerCase) : token('name', name);
  }
  const number = match(patterns.number, text, start);
  if (number !== undefined) {
    if (/^\d+$/.test(number)) return token('integer', number);
    if (/^\d+\.\d+$/.test(number)) return token('decimal', number);
    fail(number, `"${number}" is not a number; write digits, such as 12000 or 0.5`);
  }
  const quotedName = match(patterns.quotedName, text, start);
  if (quotedName === '""') fail('""', "the name is empty; an empty text is written ''");
  if (quotedName !== undefined)
    return token('name', quotedName, quotedName.slice(1, -1).replaceAll('""', '"'));
  const quotedText = match(patterns.text, text, start);
  if (quotedText !== undefined)
    return token('text', quotedText, quotedText.slice(1, -1).replaceAll("''", "'"));
  const symbol = match(patterns.symbol, text, start);
  if (symbol !== undefined) {
    const advice = notSymbols[symbol];
    return advice === undefined ? token('symbol', symbol) : fail(symbol, advice);
  }
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  const advice = notTokens.find(([characters]) => characters.includes(character))?.[1];
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}"` : code;
  return fail(character, advice ?? `unexpected character ${shown}`);
}

const maxLength = 4_000;

/** The tokens of an expression, and one of the kind `end`. */
export function readTokens(text: string): Token[] {
  if (text.length > maxLength)
    throw new ExpressionError('the expression has more than 4,000 characters; split it', {
      start: maxLength,
      end: text.length,
    });
  // No engine stores NUL, and half of a surrogate pair is no character.
  const broken = text.search(/[\0\p{Cs}]/u);
  if (broken !== -1)
    throw new ExpressionError('the expression has a character that is not text; remove it', {
      start: broken,
      end: broken + 1,
    });
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    position += match(patterns.space, text, position)?.length ?? 0;
    if (position === text.length) break;
    const token = readToken(text, position);
    tokens.push(token);
    position = token.end;
  }
  return [...tokens, { kind: 'end', value: '', source: '', start: position, end: position }];
}

/** A name as an expression writes it: in quotes if it needs them. */
export function writeName(name: string): string {
  const isPlain = match(patterns.name, name, 0) === name && !keywords.has(name.toLowerCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

import { ExpressionError } from './error.ts';
import type { Span } from './tree.ts';

const keywords = new Set(
  'and or not is null in between case when then else end true false'.split(' '),
);

export interface Token extends Span {
  kind: 'name' | 'text' | 'integer' | 'decimal' | 'keyword' | 'symbol' | 'end';
  /** Without quotes; keywords are in lower case. */
  value: string;
  /** The original text. */
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
  '--': 'comments are not supported; remove this one, or write a space between two minus signs',
  '/*': 'comments are not supported; remove this one',
  '==': 'write = instead of ==',
  '!=': 'write <> for "not equal"',
  '&&': 'write and instead of &&',
};

/** Advice for characters that begin no token. */
const notTokens: [characters: string, advice: string][] = [
  ['"', 'the closing double quote of this name is missing; add it'],
  ["'", 'the closing quote of this text is missing; add it'],
  ['[]`', 'write names in double quotes, such as "Order Date"'],
  ['“”„«»', 'write names in straight double quotes, such as "Order Date"'],
  ['‘’‚', "write text in straight quotes, such as 'West'"],
  ['&|', 'write || to join texts, and the words and, or to combine conditions'],
  [
    '.',
    'write a digit before a decimal point, such as 0.5, and double quotes around a name with a dot, such as "a.b"',
  ],
  ['^', 'powers are not supported; multiply instead'],
  [';', 'remove the semicolon'],
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
  if (quotedName === '""') fail('""', "the name is empty; for an empty text, write ''");
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
  return fail(
    character,
    advice ??
      `unexpected character ${shown}; remove it, or write the name that contains it in double quotes`,
  );
}

const maxLength = 4_000;

/** Reads the tokens of an expression. The last one has the kind `end`. */
export function readTokens(text: string): Token[] {
  if (text.length > maxLength)
    throw new ExpressionError(
      'the expression has more than 4,000 characters; move a part of it into its own field or metric',
      {
        start: maxLength,
        end: text.length,
      },
    );
  // Engines cannot store NUL or a lone surrogate.
  const broken = text.search(/[\0\p{Cs}]/u);
  if (broken !== -1)
    throw new ExpressionError('the expression has an invalid character; remove it', {
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

/** Writes a name for an expression, in quotes if it needs them. */
export function writeName(name: string): string {
  const isPlain = match(patterns.name, name, 0) === name && !keywords.has(name.toLowerCase());
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

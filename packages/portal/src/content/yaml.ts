import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  YAMLParseError,
  type CST,
  type Document,
  type ErrorCode,
  type Node,
  type YAMLError,
} from 'yaml';

import type { Mistake } from './mistakes.ts';
import type { Source } from './positions.ts';

/** Size limit of one file in UTF-8 bytes. */
export const maxFileBytes = 256_000;

/** A role may list 10,000 values, with six tokens each. */
const maxTokens = 100_000;

/** Maximum number of open collections, keys and values. A report needs about 30. */
const maxDepth = 100;

/** Mistakes of one file, such as repeated keys, that are listed. */
const maxProblems = 200;

type Problem = Omit<Mistake, 'file'>;

export interface ParsedYaml {
  problems: Problem[];
  /** What the file says. Absent after a problem that hides it, such as a mistake of syntax. */
  content?: { value: unknown; source: Source };
}

/** Parses a YAML 1.2 file without aliases, anchors, tags and directives. */
export function parseYaml(text: string): ParsedYaml {
  if (Buffer.byteLength(text) > maxFileBytes)
    return reportTop(`the file is larger than ${maxFileBytes / 1_000} kB; split it`);
  const control = text.search(controlCharacter);
  if (control !== -1) return reportCharacter(text, control);
  const lines = new LineCounter();
  const read = readTokens(text, lines);
  if ('problems' in read) return read;
  const problems: Problem[] = [];
  const report = (offset: number, message: string) => {
    if (problems.length >= maxProblems) return;
    const { line, col } = lines.linePos(offset);
    problems.push({ line, column: col, message });
  };
  const { document, error } = compose(read.tokens, text.length);
  if (error) {
    // An unclosed quote takes the rest of the file, so it is the last one.
    const isOpen = error.message.startsWith('Missing closing');
    report(isOpen ? read.lastQuote : error.pos[0], describeError(error));
    return { problems };
  }
  if (!document?.contents) return reportTop('the file is empty');
  if (read.second !== undefined)
    report(read.second, 'a second document starts here; keep one, without `---`');
  if (document.directives?.yaml.explicit)
    report(0, 'directives are not supported; remove this one');
  if (problems.length > 0 || checkNodes(document, report).hasAliases) return { problems };
  const value: unknown = document.toJS();
  return { problems, content: { value, source: { text, document, lines } } };
}

/** Composes a document up to its first mistake of syntax: the others are usually its consequences. */
function compose(
  tokens: readonly CST.Token[],
  length: number,
): { document?: Document.Parsed | undefined; error?: YAMLParseError | undefined } {
  const composer = new Composer({
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // The library's own check takes quadratic time.
    uniqueKeys: false,
    logLevel: 'silent',
  });
  let first: YAMLParseError | undefined;
  // The library collects all mistakes, and has no option to stop. It catches what is thrown within a
  // collection, and reports it again.
  const onError = (
    source: number | readonly number[] | CST.Token,
    code: ErrorCode,
    message: string,
  ) => {
    const start =
      typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0]!;
    throw (first ??= new YAMLParseError([start, start + 1], code, message));
  };
  Object.assign(composer, { onError });
  try {
    const [document] = composer.compose(tokens, true, length);
    return { document };
  } catch (error) {
    if (error === first) return { error: first };
    throw error;
  }
}

const reportTop = (message: string) => ({ problems: [{ line: 1, column: 1, message }] });

/** Characters that YAML forbids. A terminal would run some of them. */
const controlCharacter = /(?![\t\n\r\u0085])\p{Cc}|\p{Cs}/u;

/** Characters that PostgreSQL cannot store. An escape such as `\0` can write them. */
const unstorable = /\0|\p{Cs}/u;

function reportCharacter(text: string, at: number) {
  const before = text.slice(0, at).split('\n');
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const message = `the character U+${code} is not allowed here; remove it`;
  return { problems: [{ line: before.length, column: (before.at(-1) ?? '').length + 1, message }] };
}

interface ReadTokens {
  /** The tokens of the first document. */
  tokens: CST.Token[];
  /** Offset of the last quoted text. */
  lastQuote: number;
  /** Offset of the second document. */
  second: number | undefined;
}

const isDocument = ({ type }: CST.Token) => type === 'document';

/** Limits the depth, because the composer is recursive and a deep file would crash the process. */
function readTokens(text: string, lines: LineCounter): ReadTokens | ParsedYaml {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let count = 0;
  let lastQuote = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('"') || lexeme.startsWith("'")) lastQuote = parser.offset;
    tokens.push(...parser.next(lexeme));
    count += 1;
    if (count > maxTokens) return reportTop('the file has too many values; split it');
    if (parser.stack.length <= maxDepth) continue;
    const { line, col } = lines.linePos(parser.offset);
    return {
      problems: [
        { line, column: col, message: 'the file is nested too deeply here; use fewer levels' },
      ],
    };
  }
  tokens.push(...parser.end());
  const first = tokens.findIndex(isDocument);
  const second = tokens.findIndex((token, index) => index > first && isDocument(token));
  if (second === -1) return { tokens, lastQuote, second: undefined };
  return { tokens: tokens.slice(0, second), lastQuote, second: tokens[second]!.offset };
}

function checkNodes(
  document: Document.Parsed,
  report: (offset: number, message: string) => void,
): { hasAliases: boolean } {
  let hasAliases = false;
  visit(document, {
    Node(_key, node: Node) {
      const offset = node.range?.[0] ?? 0;
      if (isAlias(node)) {
        hasAliases = true;
        report(offset, 'aliases are not supported; write the value instead');
        return;
      }
      if ('anchor' in node && node.anchor)
        report(offset, 'anchors are not supported; remove this one');
      if (node.tag) report(offset, 'tags are not supported; remove this one');
      if (isScalar(node) && node.source !== undefined && changesNumber(node.source, node.value)) {
        const { source, value } = node;
        report(offset, `${source} is read as the number ${String(value)}; quote it: "${source}"`);
        // As if it were quoted, so that no further mistake is found here.
        node.value = source;
      }
      if (isScalar(node) && typeof node.value === 'string' && unstorable.test(node.value))
        report(offset, 'this has a character that cannot be stored, such as U+0000; remove it');
      if (!isMap(node)) return;
      const keys = new Set<unknown>();
      for (const { key } of node.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value))
          report(key.range?.[0] ?? 0, `"${String(key.value)}" is written twice; keep one of them`);
        keys.add(key.value);
      }
    },
  });
  return { hasAliases };
}

/** Whether a number is not what its text shows: `012`, `0x1F`, `9007199254740993`. */
function changesNumber(source: string, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (/^[-+]?0[0-9xo]/.test(source)) return true;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.e]/i.test(source);
}

function describeError({ code, message }: YAMLError): string {
  if (code === 'TAB_AS_INDENT') return 'tabs are not allowed as indentation; use spaces';
  if (code === 'TAG_RESOLVE_FAILED') return 'tags are not supported; remove this one';
  if (code === 'NON_STRING_KEY') return 'a key must be text; quote it';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'a second ": " follows on this line; quote the text, or put the key on its own line';
  if (code === 'BAD_SCALAR_START')
    return `${message.replace('Plain value', 'text without quotes')}; quote it`;
  if (message.startsWith('Missing closing')) return 'the closing quote is missing; add it';
  return `this is not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;
}

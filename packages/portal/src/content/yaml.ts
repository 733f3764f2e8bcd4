import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type Document,
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
  const tokens = readTokens(text, lines);
  if ('problems' in tokens) return tokens;
  const composer = new Composer({
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // The library's own check takes quadratic time.
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const [document, next] = composer.compose(tokens, true, text.length);
  if (!document?.contents) return reportTop('the file is empty');
  const problems: Problem[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ line, column: col, message });
  };
  if (next) report(next.range[0], 'a second document starts here; keep one, without `---`');
  if (document.directives?.yaml.explicit)
    report(0, 'directives are not supported; remove this one');
  // Further errors are usually consequences of the first.
  const [error] = [...document.errors, ...document.warnings];
  if (error) report(findPlace(document, error), describeError(error));
  if (problems.length > 0 || checkNodes(document, report).hasAliases) return { problems };
  const value: unknown = document.toJS();
  return { problems, content: { value, source: { text, document, lines } } };
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

/** Limits the depth, because the composer is recursive and a deep file would crash the process. */
function readTokens(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
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
  return tokens;
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

/** The position to report. An unclosed quote takes the rest of the file, so it is the last scalar. */
function findPlace(document: Document.Parsed, { message, pos }: YAMLError): number {
  let [place] = pos;
  if (message.startsWith('Missing closing'))
    visit(document, {
      Scalar(_key, { range }) {
        if (range) [place] = range;
      },
    });
  return place;
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

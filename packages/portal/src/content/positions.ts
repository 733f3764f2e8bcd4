import type { Issue } from '@portal-embed/report-model';
import { isMap, isScalar, isSeq, Scalar, type Document, type LineCounter, type Node } from 'yaml';

/** A position in a file. Both numbers start at 1. */
export interface Position {
  line: number;
  column: number;
}

/** The text of a YAML file and its syntax tree. */
export interface Source {
  text: string;
  document: Document;
  lines: LineCounter;
}

/** Finds the position of an issue: a part of an expression, a value, or a key. */
export function locate(
  source: Source,
  { path, span, isKey = false }: Pick<Issue, 'path' | 'span' | 'isKey'>,
): Position {
  const node = findNode(source.document.contents, path, isKey);
  const start = node?.range?.[0] ?? 0;
  const offset = span && isScalar(node) ? start + mapOffset(source.text, node, span.start) : start;
  const { line, col } = source.lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Returns the value or key at the path. If it does not exist, returns the nearest parent. */
function findNode(root: unknown, path: Issue['path'], isKey: boolean): Node | undefined {
  let node = root as Node | undefined;
  for (const [index, part] of path.entries()) {
    let next: unknown;
    if (isSeq(node)) next = node.items[Number(part)];
    else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      // An empty value has no position of its own.
      const isEmpty = isScalar(pair?.value) && pair.value.range?.[0] === pair.value.range?.[1];
      const wantsKey = index === path.length - 1 && (isKey || isEmpty);
      next = wantsKey ? pair?.key : (pair?.value ?? pair?.key);
    }
    if (!next) return node;
    node = next as Node;
  }
  return node;
}

/**
 * Converts an offset in a scalar's value to one in its source, which also has quotes, escapes and the
 * indentation of further lines.
 */
function mapOffset(text: string, { value, type, range }: Scalar, offset: number): number {
  const [start, end] = range ?? [0, 0];
  const source = text.slice(start, end);
  const wanted = String(value);
  let at = 0;
  if (type === Scalar.QUOTE_SINGLE || type === Scalar.QUOTE_DOUBLE) at = 1;
  else if (type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL)
    at = source.indexOf('\n') + 1;
  for (let index = 0; index < offset && at < source.length; index += 1)
    at = skipToCharacter(source, at, wanted[index]!) + 1;
  // The character itself may follow an escape or indentation.
  return offset < wanted.length ? skipToCharacter(source, at, wanted[offset]!) : at;
}

/** The next position of `character`. Any white space matches any other. */
function skipToCharacter(source: string, from: number, character: string): number {
  const isSpace = /\s/.test(character);
  for (let at = from; at < source.length; at += 1)
    if (source[at] === character || (isSpace && /\s/.test(source[at]!))) return at;
  return from;
}

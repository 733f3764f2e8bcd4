import type { Issue } from '@portal-embed/report-model';
import {
  isMap,
  isScalar,
  isSeq,
  Scalar,
  type Document,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';

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
  const offset =
    span && isScalar(node) ? start + (listOffsets(source.text, node)[span.start] ?? 0) : start;
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
      const pair = indexPairs(node).get(String(part));
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

const indexes = new WeakMap<YAMLMap, Map<string, Pair>>();

/** The pairs of a map by their keys. Of equal keys, the first counts. */
function indexPairs(map: YAMLMap): Map<string, Pair> {
  const known = indexes.get(map);
  if (known) return known;
  const index = new Map<string, Pair>();
  for (const pair of map.items)
    if (isScalar(pair.key) && !index.has(String(pair.key.value)))
      index.set(String(pair.key.value), pair);
  indexes.set(map, index);
  return index;
}

const offsets = new WeakMap<Scalar, number[]>();

/**
 * Lists the offset of each character of a scalar's value in its source, which also has quotes, escapes
 * and the indentation of further lines, and the offset after the last one.
 */
function listOffsets(text: string, scalar: Scalar): number[] {
  const known = offsets.get(scalar);
  if (known) return known;
  const { value, type, range } = scalar;
  const [start, end] = range ?? [0, 0];
  const source = text.slice(start, end);
  const hasEscapes = type === Scalar.QUOTE_DOUBLE;
  let at = 0;
  if (type === Scalar.QUOTE_SINGLE || hasEscapes) at = 1;
  else if (type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL)
    at = source.indexOf('\n') + 1;
  const list: number[] = [];
  for (const character of String(value)) {
    const found = findCharacter(source, at, character, hasEscapes);
    // Offsets count UTF-16 code units.
    for (let unit = 0; unit < character.length; unit += 1) list.push(found.start + unit);
    at = found.end;
  }
  list.push(at);
  offsets.set(scalar, list);
  return list;
}

/** Lengths of escapes, such as `\x41`, by their second character. */
const escapeLengths: Partial<Record<string, number>> = { x: 4, u: 6, U: 10 };

/** The next position of a character or of an escape. Any white space matches any other. */
function findCharacter(
  source: string,
  from: number,
  character: string,
  hasEscapes: boolean,
): { start: number; end: number } {
  const isSpace = /\s/.test(character);
  for (let at = from; at < source.length; at += 1) {
    const next = source[at + 1] ?? '';
    // A backslash at the end of a line continues the line.
    if (hasEscapes && source[at] === '\\' && !/[\r\n]/.test(next))
      return { start: next === character ? at + 1 : at, end: at + (escapeLengths[next] ?? 2) };
    if (source.startsWith(character, at)) return { start: at, end: at + character.length };
    if (isSpace && /\s/.test(source[at]!)) return { start: at, end: at + 1 };
  }
  return { start: source.length, end: source.length };
}

import { diff3Merge } from 'node-diff3';
import { Lexer, parseDocument, type Document, type ToStringOptions } from 'yaml';

/** How the definitions of one kind are read and written. */
export interface TextFormat<Parsed extends { document: Document }> {
  /** @throws if the text cannot be edited */
  parse: (text: string) => Parsed;
  /** Writes a document in the style of its text. */
  write: (document: Document, text: string) => string;
}

/**
 * Edits the document of a text, and writes it. Lines that the edit does not concern stay as they are,
 * also where the library would write them in another way.
 *
 * @throws as `parse` of the format
 */
export function writeChange<Parsed extends { document: Document }>(
  text: string,
  { parse, write }: TextFormat<Parsed>,
  edit: (parsed: Parsed) => void,
): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const own = text.replaceAll('\r\n', '\n');
  const parsed = parse(own);
  const { document } = parsed;
  const base = write(document, own);
  edit(parsed);
  return mergeLines(own, base, write(document, own), document).replaceAll('\n', lineEnd);
}

/** Applies the changes from `base` to `edited` to a text of the same meaning as `base`. */
function mergeLines(text: string, base: string, edited: string, document: Document): string {
  const [own, before, after] = [text, base, edited].map((each) => each.split('\n')) as Sides;
  const { start, end } = findChanged(before, after);
  // The library mostly writes as many lines as the author, so equal ends need no comparison.
  const isAligned = own.length === before.length;
  const [from, rest] = isAligned ? [start, end] : [0, 0];
  const cut = (lines: readonly string[]) => lines.slice(from, lines.length - rest);
  const changed = diff3Merge(cut(own), cut(before), cut(after), { excludeFalseConflicts: true });
  const merged = [
    ...own.slice(0, from),
    ...changed.flatMap(({ ok, conflict }) => ok ?? conflict?.b ?? []),
    ...own.slice(own.length - rest),
  ].join('\n');
  const isSame =
    JSON.stringify(parseDocument(merged).toJS()) === JSON.stringify(document.toJS()) &&
    listComments(merged).join('\n') === listComments(edited).join('\n');
  return isSame ? merged : edited;
}

/** The lines of the author, and those of the library before and after an edit. */
type Sides = [string[], string[], string[]];

/** The number of equal lines at the start and at the end of two texts. */
function findChanged(before: readonly string[], after: readonly string[]) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start, end };
}

/**
 * The layout in which a text is written.
 *
 * @param lists keys whose lists tell whether entries are indented
 */
export function findLayout(text: string, lists: readonly string[]): ToStringOptions {
  const indent = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const flat = new RegExp(`^( *)(?:${lists.join('|')}):[^\\n]*\\n(?:\\s*#[^\\n]*\\n)*\\1- `, 'm');
  return {
    lineWidth: 0,
    indent: Math.min(Math.max(indent, 2), 8),
    indentSeq: !flat.test(text),
  };
}

/** The comments of a text, in its order. */
export function listComments(text: string): string[] {
  const comments: string[] = [];
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token.startsWith('#') && !isScalar) comments.push(token.trimEnd());
    // This mark comes before the text of a scalar.
    isScalar = token === '\u001F';
  }
  return comments;
}

import {
  isCollection,
  isPair,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

type Collection = YAMLMap | YAMLSeq;
type Item = Collection['items'][number];

/**
 * Attaches each comment to the item that follows it in the same column. The library attaches it to the
 * end of the item before, so a moved or removed item would take the comment of its neighbor with it.
 *
 * @param text what the document was parsed from, with line feeds only
 */
export function attachComments(document: Document, text: string): void {
  const lines = new Lines(text);
  const root = document.contents;
  if (!isBlock(root)) return;
  attachWithin(root, lines);
  const last = root.items.at(-1);
  if (last === undefined) return;
  const { before, open } = divide(lines, root, last);
  for (const [collection, texts] of open) collection.comment = joinComment(texts);
  root.comment = null;
  document.comment = joinComment(before);
}

/** Begins a comment beside a key. The library would write it below, where the first item has its own. */
export const besideKey = '\uE000';

/** Writes a document whose comments are attached. */
export const writeDocument = (document: Document, options: ToStringOptions): string =>
  document.toString(options).replaceAll(/\n *#\uE000/g, ' #');

function attachWithin(collection: Collection, lines: Lines): void {
  for (const [index, item] of collection.items.entries()) {
    const value = valueOf(item);
    if (isSeq(value) && isBlock(value) && isPair(item)) attachFirst(value, item, lines);
    if (isBlock(value)) attachWithin(value, lines);
    const next = collection.items[index + 1];
    if (next === undefined) return;
    const { before, open, end } = divide(lines, collection, item);
    for (const [inner, texts] of open) inner.comment = joinComment(texts);
    const owner = (isPair(next) ? next.key : next) as Node;
    owner.commentBefore = joinComment([...before, ...lines.readAfterDash(end)]);
    // The library has a place for one blank line only, which is above the comment.
    owner.spaceBefore = before[0] === '' || (before.length === 0 && lines.isBlank(end - 1));
  }
}

/** Comments above the first item of a list belong to the item. A comment beside the key stays there. */
function attachFirst(list: YAMLSeq, { key }: Pair, lines: Lines): void {
  const [first] = list.items as Node[];
  const keyEnd = (key as Node).range![1];
  const { comments, end } = lines.readGap(keyEnd);
  if (!first) return;
  const beside = /^\s*:\s*#(.*)$/.exec(lines.restOfLine(keyEnd))?.[1];
  list.commentBefore = beside === undefined ? null : besideKey + beside;
  const texts = comments.map(({ comment }) => comment);
  first.commentBefore = joinComment([...texts, ...lines.readAfterDash(end)]);
}

/** Divides the lines after an item among what follows and the collections that end with the item. */
function divide(lines: Lines, collection: Collection, item: Item) {
  const { comments, end } = lines.readGap(endOf(item));
  const owners = [collection, ...listOpen(valueOf(item))];
  const columns = owners.map((owner) => lines.columnOf(owner));
  const texts = owners.map((): string[] => []);
  let depth = owners.length - 1;
  for (const { comment, column } of comments) {
    if (column !== undefined)
      while (depth > 0 && (columns[depth]! > column || columns[depth - 1]! >= column)) depth -= 1;
    texts[depth]!.push(comment);
  }
  const [before = [], ...inner] = texts;
  return { before, open: inner.map((each, index) => [owners[index + 1]!, each] as const), end };
}

/** The block collections that end with a node, the outermost first. */
function listOpen(node: unknown): Collection[] {
  if (!isBlock(node)) return [];
  const last = node.items.at(-1);
  return [node, ...(last === undefined ? [] : listOpen(valueOf(last)))];
}

const isBlock = (node: unknown): node is Collection => isCollection(node) && !node.flow;

const valueOf = (item: Item): unknown => (isPair(item) ? item.value : item);

/** The offset after the last character of an item, without comments. */
function endOf(item: Item): number {
  const value = valueOf(item) as Node | null;
  if (isBlock(value)) {
    const last = value.items.at(-1);
    if (last !== undefined) return endOf(last);
  }
  return value?.range?.[1] ?? ((item as Pair).key as Node).range![1];
}

function joinComment(texts: readonly string[]): string | null {
  const first = texts.findIndex((text) => text !== '');
  if (first === -1) return null;
  const last = texts.findLastIndex((text) => text !== '');
  // The library takes an empty line for a blank line, and a space for `#` alone.
  return texts.slice(first, last + 1).join('\n');
}

/** A line of a comment, without `#`. A blank line has no column. */
interface CommentLine {
  comment: string;
  column?: number;
}

class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split('\n');
    let start = 0;
    this.#starts = this.#lines.map((line) => {
      const own = start;
      start += line.length + 1;
      return own;
    });
  }

  columnOf(node: Node): number {
    const offset = node.range![0];
    return offset - this.#starts[this.#lineAt(offset)]!;
  }

  /** The blank lines and comments below the line in which an offset is, and the line after them. */
  readGap(offset: number): { comments: CommentLine[]; end: number } {
    // A block of text ends with its line feed.
    let end = this.#lineAt(Math.max(offset - 1, 0)) + 1;
    const comments: CommentLine[] = [];
    for (; end < this.#lines.length; end += 1) {
      const [, space, comment] = /^(\s*)(?:#(.*))?$/.exec(this.#lines[end]!) ?? [];
      if (space === undefined) break;
      comments.push(
        comment === undefined ? { comment: '' } : { comment: comment || ' ', column: space.length },
      );
    }
    return { comments, end };
  }

  /** The comment between the dash in a line and the item below. */
  readAfterDash(line: number): string[] {
    const [, comment] = /^\s*-\s+#(.*)$/.exec(this.#lines[line] ?? '') ?? [];
    if (comment === undefined) return [];
    const { comments } = this.readGap(this.#starts[line]! + 1);
    return [comment, ...comments.map((each) => each.comment)];
  }

  restOfLine(offset: number): string {
    const line = this.#lineAt(offset);
    return this.#lines[line]!.slice(offset - this.#starts[line]!);
  }

  isBlank = (line: number): boolean => this.#lines[line]?.trim() === '';

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

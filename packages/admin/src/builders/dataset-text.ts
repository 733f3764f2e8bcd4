import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Pair,
  parseDocument,
  stringify,
  visit,
  type Document,
  type Node,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** A metric or a role as the text has it. Nothing in it is checked. */
export type Item = Readonly<Record<string, unknown>>;

export type ItemList = 'metrics' | 'roles';

/** What the builders show of the definition of a dataset. */
export type DatasetOutline = Record<ItemList, readonly Item[]>;

/** Reads the definition of a dataset; `undefined` if its text cannot be edited by a form. */
export function readDatasetText(text: string): DatasetOutline | undefined {
  const document = parse(text);
  if (!document) return undefined;
  const metrics = readList(document, 'metrics');
  const roles = readList(document, 'roles');
  if (!metrics || !roles) return undefined;
  return { metrics: toItems(metrics), roles: toItems(roles) };
}

const toItems = ({ items }: YAMLSeq<YAMLMap>): Item[] => items.map((item) => item.toJSON() as Item);

/** A property of an item as text; empty if it is none. */
export function textOf(item: Item | undefined, property: string): string {
  const value = item?.[property];
  return typeof value === 'string' ? value : '';
}

/**
 * Adds a metric or a role, or changes the one of this name. Comments, the order of properties and
 * properties that are not named stay. The first role replaces `rowAccess: everyone`, which would show all
 * rows to every reader.
 *
 * @param name of the item before the change; `undefined` to add one
 * @param item properties; those that are `undefined` are removed
 * @throws if `readDatasetText` cannot read the text
 */
export const writeItem = (
  text: string,
  list: ItemList,
  name: string | undefined,
  item: Item,
): string =>
  edit(text, (document) => {
    const items = requireList(document, list);
    const found = name === undefined ? undefined : findItem(items, name);
    if (found) changeMap(document, found, item);
    else {
      const given = Object.entries(item).filter(([, value]) => value !== undefined);
      const created = createNode(document, Object.fromEntries(given)) as YAMLMap;
      created.flow = false;
      if (items.items.length === 0) {
        items.flow = false;
        if (list === 'roles') document.delete('rowAccess');
      }
      items.items.push(created);
      document.set(list, items);
    }
  });

/** Removes a metric or a role. */
export const removeItem = (text: string, list: ItemList, name: string): string =>
  edit(text, (document) => {
    const items = requireList(document, list);
    items.items = items.items.filter((item) => item.get('name') !== name);
    if (items.items.length === 0) document.delete(list);
  });

/** A value as one line of YAML. */
export const toLine = (value: unknown): string =>
  tightenLists(stringify(value, { collectionStyle: 'flow', lineWidth: 0 })).trim();

function parse(text: string): Document | undefined {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  let hasAlias = false;
  visit(document, {
    Node: (_key, node) => {
      hasAlias ||= isAlias(node) || ('anchor' in node && Boolean(node.anchor));
    },
  });
  return hasAlias ? undefined : document;
}

/** The list of a document; `undefined` if it is not a list of mappings. */
function readList(document: Document, list: ItemList): YAMLSeq<YAMLMap> | undefined {
  const found = document.get(list, true) ?? null;
  if (found === null || (isScalar(found) && found.value === null))
    return document.createNode([]) as YAMLSeq<YAMLMap>;
  return isSeq(found) && found.items.every(isMap) ? (found as YAMLSeq<YAMLMap>) : undefined;
}

function requireList(document: Document, list: ItemList): YAMLSeq<YAMLMap> {
  const found = readList(document, list);
  if (found) return found;
  throw new Error(`The text has no list of ${list}.`);
}

const findItem = ({ items }: YAMLSeq<YAMLMap>, name: string): YAMLMap | undefined =>
  items.find((item) => item.get('name') === name);

function edit(text: string, change: (document: Document) => void): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const own = text.replaceAll('\r\n', '\n');
  const document = parse(own);
  if (!document || !readDatasetText(own)) throw new Error('The text cannot be edited by a form.');
  const style = findStyle(own);
  const isTight = countOf(own, /\[[^\s[\]]/g) >= countOf(own, /\[ /g);
  const write = () => (isTight ? tightenLists(document.toString(style)) : document.toString(style));
  const before = write();
  change(document);
  return keepLines(own, before, write()).replaceAll('\n', lineEnd);
}

/** Keeps the lines that did not change as they were written, where the library writes them in another way. */
function keepLines(text: string, before: string, after: string): string {
  const [own, old, next] = [text, before, after].map((each) => each.split('\n'));
  if (text === before || own!.length !== old!.length) return after;
  let start = 0;
  while (start < old!.length && old![start] === next![start]) start += 1;
  let end = 0;
  const shorter = Math.min(old!.length, next!.length) - start;
  while (end < shorter && old!.at(-1 - end) === next!.at(-1 - end)) end += 1;
  const kept = [
    ...own!.slice(0, start),
    ...next!.slice(start, next!.length - end),
    ...own!.slice(own!.length - end),
  ].join('\n');
  const isSame = JSON.stringify(parse(kept)?.toJS()) === JSON.stringify(parse(after)?.toJS());
  return isSame ? kept : after;
}

/** The style in which most of the text is written. */
const findStyle = (text: string): ToStringOptions => ({
  lineWidth: 0,
  indent: Math.min(Math.max(/^( +)\S/m.exec(text)?.[1]?.length ?? 2, 2), 8),
  indentSeq: !/^(?:metrics|roles|fields):[^\n]*\n(?:\s*#[^\n]*\n)*- /m.test(text),
  flowCollectionPadding: countOf(text, /[{] /g) >= countOf(text, /[{][^\s{}]/g),
});

/** Lexemes that are not in the text: the start of a document, the end of an error, and a scalar. */
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001F']);

/** Writes `[a, b]` for `[ a, b ]`. The library pads lists and mappings alike. */
function tightenLists(text: string): string {
  const lexemes = [...new Lexer().lex(text)];
  const open: string[] = [];
  let isMarked = false;
  return lexemes
    .filter((lexeme, index) => {
      // A control character comes before the text of a scalar.
      const isText = isMarked;
      isMarked = lexeme === '\u001F';
      if (isText) return true;
      if (lexeme === '[' || lexeme === '{') open.push(lexeme);
      else if (lexeme === ']' || lexeme === '}') open.pop();
      const isInList = open.at(-1) === '[';
      const isBeside = lexemes[index - 1] === '[' || lexemes[index + 1] === ']';
      return !(lexeme === ' ' && isInList && isBeside) && !marks.has(lexeme);
    })
    .join('');
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Sets and removes keys of a mapping. The others keep their place. */
function changeMap(document: Document, map: YAMLMap, changes: Item): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) {
      map.delete(key);
      continue;
    }
    const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key);
    if (pair) pair.value = changeNode(document, pair.value as Node | null, value);
    else map.items.push(new Pair(document.createNode(key), createNode(document, value)));
  }
}

/** A node with another value, in which comments and unchanged entries stay. */
function changeNode(document: Document, node: Node | null, value: unknown): Node {
  if (node && isEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isRecord(value)) {
    const keys = node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
    const gone = keys.filter((key) => !(key in value)).map((key) => [key, undefined] as const);
    changeMap(document, node, Object.fromEntries([...gone, ...Object.entries(value)]));
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    const kept = [...node.items] as Node[];
    const isAligned = kept.length === value.length;
    node.items = value.map((entry: unknown, index) => {
      const found = kept.find((each) => isEqual(each.toJS(document), entry));
      if (found) return found;
      return isAligned ? changeNode(document, kept[index]!, entry) : createNode(document, entry);
    });
    return node;
  }
  const created = createNode(document, value);
  if (node) {
    created.commentBefore = node.commentBefore ?? null;
    created.comment = node.comment ?? null;
    const isQuoted = isScalar(node) && node.type?.startsWith('QUOTE');
    if (isQuoted && isScalar(created) && typeof value === 'string') created.type = node.type!;
  }
  return created;
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collections are written on one line. */
function createNode(document: Document, value: unknown): Node {
  const node = document.createNode(value) as Node;
  visit(node, { Collection: (_key, each) => void (each.flow = true) });
  return node;
}

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  stringify,
  visit,
  type Document,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

import { changeMap } from '../drafts/change-map.ts';
import { findLayout, writeChange, type TextFormat } from '../drafts/write-change.ts';

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
  writeChange(text, datasetFormat, ({ document }) => {
    const items = requireList(document, list);
    const found = name === undefined ? undefined : findItem(items, name);
    if (found) changeMap(document, found, item, createNode);
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
  writeChange(text, datasetFormat, ({ document }) => {
    const items = requireList(document, list);
    items.items = items.items.filter((item) => item.get('name') !== name);
    if (items.items.length === 0) document.delete(list);
  });

/** Shows all rows to every reader, as long as there are no roles. */
export const openRows = (text: string): string =>
  writeChange(text, datasetFormat, ({ document }) => document.set('rowAccess', 'everyone'));

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

const datasetFormat: TextFormat<{ document: Document }> = {
  parse: (text) => {
    const document = parse(text);
    if (!document || !readDatasetText(text))
      throw new Error('The text cannot be edited by a form.');
    return { document };
  },
  write: (document, text) => {
    const written = document.toString({
      ...findLayout(text, ['metrics', 'roles', 'fields']),
      flowCollectionPadding: countOf(text, /[{] /g) >= countOf(text, /[{][^\s{}]/g),
    });
    const isTight = countOf(text, /\[[^\s[\]]/g) >= countOf(text, /\[ /g);
    return isTight ? tightenLists(written) : written;
  },
};

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

/** Collections are written on one line. */
function createNode(document: Document, value: unknown): Node {
  const node = document.createNode(value) as Node;
  visit(node, { Collection: (_key, each) => void (each.flow = true) });
  return node;
}

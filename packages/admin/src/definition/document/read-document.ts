import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

import { attachComments } from './attach-comments.ts';

/** A tile as the definition has it. Nothing in it is checked. */
export type Tile = Readonly<Record<string, unknown>>;

export interface Row {
  tiles: readonly Tile[];
}

export interface Page {
  name: string;
  rows: readonly Row[];
}

/** What the visual editor shows of a definition. */
export interface Outline {
  dataset: string;
  pages: readonly Page[];
}

/** Why a definition cannot be edited visually. Lines count from 1. */
export interface Obstacle {
  line: number;
  reason: 'syntax' | 'alias' | 'pages' | 'rows' | 'tiles';
}

export type ReadDefinition = { outline: Outline } | { obstacle: Obstacle };

class ObstacleError extends Error {
  readonly obstacle: Obstacle;

  constructor(line: number, reason: Obstacle['reason']) {
    super(`Line ${line} cannot be edited visually: ${reason}.`);
    this.obstacle = { line, reason };
  }
}

/** A parsed definition, and the lists of its tree. */
export interface ReportDocument {
  document: Document;
  pages: YAMLSeq<YAMLMap>;
}

/** Reads the pages of a definition, or says which line prevents it. */
export function readDefinition(text: string): ReadDefinition {
  try {
    const { document, pages } = parseReport(text);
    const dataset: unknown = (document.contents as YAMLMap).get('dataset');
    return {
      outline: {
        dataset: toText(dataset),
        pages: pages.items.map((page) => ({
          name: toText(page.get('name')),
          rows: listRows(page).items.map((row) => ({
            tiles: listTiles(row).items.map((tile) => tile.toJSON() as Tile),
          })),
        })),
      },
    };
  } catch (error) {
    if (error instanceof ObstacleError) return { obstacle: error.obstacle };
    throw error;
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * @param text with line feeds only
 * @throws if the definition cannot be edited visually
 */
export function parseReport(text: string): ReportDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const lineOf = (offset: number) => Math.max(lines.linePos(offset).line, 1);
  const [error] = document.errors;
  if (error) throw new ObstacleError(lineOf(error.pos[0]), 'syntax');
  const refuse = (node: Node | null | undefined, reason: Obstacle['reason']): never => {
    throw new ObstacleError(lineOf(node?.range?.[0] ?? 0), reason);
  };
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node) || ('anchor' in node && node.anchor)) refuse(node, 'alias');
    },
  });
  const root = document.contents;
  if (!isMap(root)) return refuse(root, 'pages');
  const pages = readMaps(root, 'pages', (node) => refuse(node ?? root, 'pages'));
  for (const page of pages.items)
    for (const row of readMaps(page, 'rows', (node) => refuse(node ?? page, 'rows')).items)
      readMaps(row, 'tiles', (node) => refuse(node ?? row, 'tiles'));
  attachComments(document, text);
  return { document, pages };
}

/** A list of mappings that is not empty. */
function readMaps(owner: YAMLMap, key: string, refuse: (node?: Node) => never): YAMLSeq<YAMLMap> {
  const list = owner.get(key, true);
  if (!isSeq(list)) return refuse(list);
  if (list.items.length === 0) refuse(list);
  for (const item of list.items) if (!isMap(item)) refuse(isScalar(item) ? item : list);
  return list as YAMLSeq<YAMLMap>;
}

/** The rows of a page that `parseReport` has checked. */
export const listRows = (page: YAMLMap): YAMLSeq<YAMLMap> =>
  page.get('rows', true) as unknown as YAMLSeq<YAMLMap>;

/** The tiles of a row that `parseReport` has checked. */
export const listTiles = (row: YAMLMap): YAMLSeq<YAMLMap> =>
  row.get('tiles', true) as unknown as YAMLSeq<YAMLMap>;

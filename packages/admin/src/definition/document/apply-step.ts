import { isCollection, isScalar, isSeq, visit, type Document, type Node, type YAMLMap } from 'yaml';

import { changeMap } from '../../drafts/change-map.ts';
import { findLayout, writeChange, type TextFormat } from '../../drafts/write-change.ts';
import { besideKey, writeDocument } from './attach-comments.ts';
import {
  listRows,
  listTiles,
  parseReport,
  type ReportDocument,
  type Tile,
} from './read-document.ts';
import type { Step, TilePlace, TileTarget } from './steps.ts';
import { fitsRow, planWidths } from './widths.ts';

/** A text after a step, and where the tile or page of the step is now. */
export interface AppliedStep {
  text: string;
  page: number;
  /** Absent after steps of pages, and after a removal. */
  tile?: TilePlace;
}

/**
 * Edits the text of a definition. Comments, the order of properties and unknown lines stay.
 *
 * @param step that `refuseStep` does not refuse
 * @throws if the definition cannot be edited visually
 */
export function applyStep(text: string, step: Step): AppliedStep {
  let done: Omit<AppliedStep, 'text'> = { page: 0 };
  const edited = writeChange(text, reportFormat, (report) => {
    done = applyTo(report, step);
  });
  return { text: edited, ...done };
}

const reportFormat: TextFormat<ReportDocument> = {
  parse: parseReport,
  write: (document, text) =>
    writeDocument(document, {
      ...findLayout(text, ['pages']),
      flowCollectionPadding: !/[{[][^\s{}[\]]/.test(text),
    }),
};

function applyTo(report: ReportDocument, step: Step): Omit<AppliedStep, 'text'> {
  const { document, pages } = report;
  switch (step.kind) {
    case 'add-tile':
      return put(report, createNode(document, step.tile) as YAMLMap, step.to);
    case 'duplicate-tile': {
      const copy = findTileNode(report, step.at).clone() as YAMLMap;
      removeComments(copy);
      return put(report, copy, { ...step.at, index: step.at.index + 1 });
    }
    case 'remove-tile': {
      removeTile(report, step.at, findTileNode(report, step.at));
      return { page: step.at.page };
    }
    case 'move-tile':
      return moveTile(report, step.at, step.to);
    case 'resize-tile':
      return resizeTile(report, step.at, step.width);
    case 'change-tile':
      changeMap(document, findTileNode(report, step.at), step.changes, createNode);
      return { page: step.at.page, tile: step.at };
    case 'add-page': {
      const { name, tile } = step;
      const page = createNode(document, { name, rows: [{ tiles: [tile] }] }) as YAMLMap;
      pages.items.splice(step.page, 0, page);
      return { page: step.page };
    }
    case 'rename-page':
      changeMap(document, pages.items[step.page]!, { name: step.name }, createNode);
      return { page: step.page };
    case 'move-page': {
      const [page] = pages.items.splice(step.page, 1);
      pages.items.splice(step.to, 0, page!);
      return { page: step.to };
    }
    case 'remove-page':
      pages.items.splice(step.page, 1);
      return { page: Math.min(step.page, pages.items.length - 1) };
  }
}

const findRow = ({ pages }: ReportDocument, { page, row }: TileTarget): YAMLMap =>
  listRows(pages.items[page]!).items[row]!;

const findTileNode = (report: ReportDocument, place: TilePlace): YAMLMap =>
  listTiles(findRow(report, place)).items[place.index]!;

/** Puts a tile into a row or a new one. In a row without space for it, all tiles share the columns. */
function put(report: ReportDocument, tile: YAMLMap, to: TileTarget) {
  const { document, pages } = report;
  if (to.index === undefined) {
    const row = createNode(document, { tiles: [{}] }) as YAMLMap;
    listTiles(row).items = [tile];
    listRows(pages.items[to.page]!).items.splice(to.row, 0, row);
  } else {
    const { items } = listTiles(findRow(report, to));
    items.splice(to.index, 0, tile);
    if (!fitsRow(items.map((item) => item.toJSON() as Tile)))
      for (const item of items) item.delete('width');
  }
  return { page: to.page, tile: { ...to, index: to.index ?? 0 } };
}

/** Removes a tile, and its row if it was the last one there. */
function removeTile({ pages }: ReportDocument, { page, row }: TilePlace, tile: YAMLMap): void {
  const rows = listRows(pages.items[page]!);
  const owner = rows.items[row]!;
  const tiles = listTiles(owner);
  tiles.items.splice(tiles.items.lastIndexOf(tile), 1);
  if (tiles.items.length === 0) rows.items.splice(row, 1);
}

function moveTile(report: ReportDocument, at: TilePlace, to: TileTarget) {
  const { pages } = report;
  const rows = listRows(pages.items[at.page]!);
  const source = rows.items[at.row]!;
  const { items } = listTiles(source);
  const [tile] = items.splice(at.index, 1) as [YAMLMap];
  const staysInRow = to.page === at.page && to.row === at.row && to.index !== undefined;
  const index = staysInRow && to.index! > at.index ? to.index! - 1 : to.index;
  const isEmpty = items.length === 0 && !staysInRow;
  if (isEmpty) {
    const texts = [...listOwnComments(source), ...listOwnComments(tile, true)];
    tile.commentBefore = texts.length > 0 ? texts.join('\n') : null;
    rows.items.splice(at.row, 1);
  }
  const row = isEmpty && to.page === at.page && to.row > at.row ? to.row - 1 : to.row;
  return put(report, tile, { page: to.page, row, ...(index !== undefined && { index }) });
}

/** The comments of a row without those of its tiles, or only the one above a node. */
function listOwnComments(node: Node, isAboveOnly = false): string[] {
  const texts: string[] = [];
  const take = (text: string | null | undefined) =>
    void (text && texts.push(text.replace(besideKey, '')));
  if (isAboveOnly) {
    take(node.commentBefore);
    return texts;
  }
  visit(node, {
    Node: (_key, each) => {
      take(each.commentBefore);
      take(each.comment);
    },
  });
  return texts;
}

function resizeTile(report: ReportDocument, at: TilePlace, width: number) {
  const { items } = listTiles(findRow(report, at));
  const planned = planWidths(
    items.map((item) => item.toJSON() as Tile),
    at.index,
    width,
  );
  for (const [index, item] of items.entries())
    if (planned[index] !== undefined && item.get('width') !== planned[index])
      changeMap(report.document, item, { width: planned[index] }, createNode);
  return { page: at.page, tile: at };
}

/** Lists of names and small mappings are written on one line. */
function createNode(document: Document, value: unknown): Node {
  const node = document.createNode(value) as Node;
  visit(node, {
    Collection: (_key, each) => {
      const isFlat = isSeq(each) && each.items.every(isScalar);
      if (isFlat) each.flow = true;
    },
  });
  return node;
}

function removeComments(node: Node): void {
  visit(node, {
    Node: (_key, each) => {
      each.commentBefore = null;
      each.comment = null;
      if (isCollection(each) || isScalar(each)) each.spaceBefore = false;
    },
  });
}

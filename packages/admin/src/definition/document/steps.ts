import { rowColumns } from '@portal-embed/report-model/divide-width';

import type { Outline, Page, Tile } from './read-document.ts';

/** A tile: page, row and tile, each counted from 0. */
export interface TilePlace {
  page: number;
  row: number;
  index: number;
}

/** Where a tile is put: before a tile of a row, or without `index` in a new row before another. */
export interface TileTarget {
  page: number;
  row: number;
  index?: number;
}

/** One edit of the visual editor. Places are those before the step. */
export type Step =
  | { kind: 'add-tile'; to: TileTarget; tile: Tile }
  | { kind: 'remove-tile'; at: TilePlace }
  | { kind: 'move-tile'; at: TilePlace; to: TileTarget }
  | { kind: 'duplicate-tile'; at: TilePlace }
  | { kind: 'resize-tile'; at: TilePlace; width: number }
  /** A property that is `undefined` is removed. */
  | { kind: 'change-tile'; at: TilePlace; changes: Tile }
  | { kind: 'add-page'; page: number; name: string; tile: Tile }
  | { kind: 'rename-page'; page: number; name: string }
  | { kind: 'move-page'; page: number; to: number }
  | { kind: 'remove-page'; page: number };

/** Why a step is not possible. */
export type Refusal =
  | 'last_tile'
  | 'last_page'
  | 'full_row'
  | 'full_page'
  | 'full_report'
  | 'too_many_rows'
  | 'too_many_pages'
  | 'name_taken'
  | 'name_empty'
  | 'gone';

const maxRows = 30;
const maxPages = 20;
const maxTilesOfPage = 60;
const maxTilesOfReport = 200;

const countTiles = ({ rows }: Page): number =>
  rows.reduce((sum, { tiles }) => sum + tiles.length, 0);

/** The tile at a place, if there is one. */
export const findTile = ({ pages }: Outline, { page, row, index }: TilePlace): Tile | undefined =>
  pages[page]?.rows[row]?.tiles[index];

/** Says why a step is not possible; `undefined` if it is. */
export function refuseStep(outline: Outline, step: Step): Refusal | undefined {
  const { pages } = outline;
  if ('at' in step && !findTile(outline, step.at)) return 'gone';
  if ('page' in step && step.kind !== 'add-page' && !pages[step.page]) return 'gone';
  switch (step.kind) {
    case 'add-tile':
      return refuseTile(outline, step.to);
    case 'duplicate-tile':
      return refuseTile(outline, { ...step.at });
    case 'move-tile':
      return refuseMove(outline, step.at, step.to);
    case 'remove-tile':
      return countTiles(pages[step.at.page]!) === 1 ? 'last_tile' : undefined;
    case 'add-page':
      if (pages.length >= maxPages) return 'too_many_pages';
      return refuseName(outline, step.name) ?? refuseCount(outline);
    case 'rename-page':
      return refuseName(outline, step.name, step.page);
    case 'move-page':
      return pages[step.to] ? undefined : 'gone';
    case 'remove-page':
      return pages.length === 1 ? 'last_page' : undefined;
    case 'resize-tile':
    case 'change-tile':
      return undefined;
  }
}

function refuseName({ pages }: Outline, name: string, own?: number): Refusal | undefined {
  if (name.trim() === '') return 'name_empty';
  const taken = pages.some((page, index) => index !== own && page.name === name);
  return taken ? 'name_taken' : undefined;
}

const refuseCount = ({ pages }: Outline): Refusal | undefined =>
  pages.reduce((sum, page) => sum + countTiles(page), 0) >= maxTilesOfReport
    ? 'full_report'
    : undefined;

function refuseTarget({ pages }: Outline, { page, row, index }: TileTarget): Refusal | undefined {
  const target = pages[page];
  if (!target) return 'gone';
  if (index === undefined) {
    if (row > target.rows.length) return 'gone';
    return target.rows.length >= maxRows ? 'too_many_rows' : undefined;
  }
  const tiles = target.rows[row]?.tiles;
  if (!tiles || index > tiles.length) return 'gone';
  return tiles.length >= rowColumns ? 'full_row' : undefined;
}

function refuseTile(outline: Outline, to: TileTarget): Refusal | undefined {
  const refusal = refuseTarget(outline, to);
  if (refusal) return refusal;
  if (countTiles(outline.pages[to.page]!) >= maxTilesOfPage) return 'full_page';
  return refuseCount(outline);
}

function refuseMove(outline: Outline, at: TilePlace, to: TileTarget): Refusal | undefined {
  const source = outline.pages[at.page]!;
  const isAlone = source.rows[at.row]!.tiles.length === 1;
  const staysInPage = at.page === to.page;
  if (!staysInPage && countTiles(source) === 1) return 'last_tile';
  const refusal = refuseTarget(outline, to);
  // The row that a tile leaves does not count against its target.
  if (refusal === 'full_row' && staysInPage && at.row === to.row) return undefined;
  if (refusal === 'too_many_rows' && staysInPage && isAlone) return undefined;
  if (refusal) return refusal;
  const isFull = !staysInPage && countTiles(outline.pages[to.page]!) >= maxTilesOfPage;
  return isFull ? 'full_page' : undefined;
}

import { divideWidth, rowColumns } from '@portal-embed/report-model/divide-width';

import type { Tile } from './read-document.ts';

/** The width of a tile, if it has a valid one. */
export const widthOf = ({ width }: Tile): number | undefined =>
  Number.isInteger(width) && Number(width) >= 1 && Number(width) <= rowColumns
    ? Number(width)
    : undefined;

const toWidths = (tiles: readonly Tile[]) => tiles.map((tile) => ({ width: widthOf(tile) }));

/** Whether the tiles fit into one row. */
export const fitsRow = (tiles: readonly Tile[]): boolean =>
  divideWidth(toWidths(tiles)) !== undefined;

/** The columns that each tile takes. Tiles that do not fit share the row. */
export const listWidths = (tiles: readonly Tile[]): number[] =>
  divideWidth(toWidths(tiles)) ?? divideWidth(tiles.map(() => ({}))) ?? tiles.map(() => 1);

/** The largest width of a tile: the others keep one column each. */
export const maxWidth = (tiles: readonly Tile[]): number =>
  Math.max(rowColumns - tiles.length + 1, 1);

/**
 * Plans the widths of a row in which one tile gets another width. Tiles with a width of their own give
 * the columns that are missing: first those after the tile, then those before it.
 *
 * @returns a width for each tile; `undefined` for those that share the rest
 */
export function planWidths(
  tiles: readonly Tile[],
  index: number,
  width: number,
): (number | undefined)[] {
  const planned = tiles.map(widthOf);
  planned[index] = Math.min(Math.max(width, 1), maxWidth(tiles));
  const taken = planned.reduce<number>((sum, each) => sum + (each ?? 1), 0);
  let missing = taken - rowColumns;
  const others = [...tiles.keys()];
  for (const other of [...others.slice(index + 1), ...others.slice(0, index).toReversed()]) {
    const own = planned[other];
    if (missing <= 0 || own === undefined) continue;
    const given = Math.min(own - 1, missing);
    planned[other] = own - given;
    missing -= given;
  }
  return planned;
}

import { parse } from 'yaml';

import type { Tile } from '../document/read-document.ts';

/**
 * Writes a report with one tile in each row, which has the dataset and the filters of another.
 *
 * @param text a definition without mistakes of syntax
 */
export function writePictureReport(text: string, tiles: readonly Tile[]): string {
  const rows = tiles.map((tile) => ({ tiles: [{ ...tile, width: 12 }] }));
  return JSON.stringify({ ...(parse(text) as object), pages: [{ name: 'pictures', rows }] });
}

import { isScalar, LineCounter, type YAMLMap } from 'yaml';

import { listRows, listTiles, parseReport } from './read-document.ts';
import type { TilePlace } from './steps.ts';

/** A mistake in a text. Line and column count from 1. */
interface Mistake {
  line: number;
  column: number;
  message: string;
}

/** A mistake of a tile, or of one of its properties. */
export interface TileMistake {
  place: TilePlace;
  property: string | undefined;
  message: string;
}

/**
 * Finds the tiles and properties that mistakes are about. Those outside tiles are left out.
 *
 * @throws if the definition cannot be edited visually
 */
export function locateMistakes(text: string, mistakes: readonly Mistake[]): TileMistake[] {
  const own = text.replaceAll('\r\n', '\n');
  const lines = own.split('\n');
  const starts = new LineCounter();
  let start = 0;
  for (const line of lines) {
    starts.addNewLine(start);
    start += line.length + 1;
  }
  const tiles = listPlaces(own);
  return mistakes.flatMap(({ line, column, message }) => {
    const offset = (starts.lineStarts[line - 1] ?? 0) + column - 1;
    const found = tiles.find(({ node }) => node.range![0] <= offset && offset < node.range![1]);
    if (!found) return [];
    const { place, node, subjects } = found;
    // A mistake of the whole tile is at its start, where the first key is.
    const pair = node.items.findLast(({ key }) => isScalar(key) && key.range![0] <= offset);
    const isWhole = offset === node.range![0];
    const property = isWhole || !isScalar(pair?.key) ? undefined : String(pair.key.value);
    const subject = subjects.find((each) => message.startsWith(each)) ?? '';
    return [{ place, property, message: message.slice(subject.length) }];
  });
}

/** All tiles, and how the messages of each begin. */
function listPlaces(text: string): { place: TilePlace; node: YAMLMap; subjects: string[] }[] {
  return parseReport(text).pages.items.flatMap((page, pageIndex) =>
    listRows(page).items.flatMap((row, rowIndex) =>
      listTiles(row).items.map((node, index) => {
        const title = node.get('title');
        const ofType = [page.get('name'), node.get('type')].join(', ');
        return {
          place: { page: pageIndex, row: rowIndex, index },
          node,
          subjects: [...(typeof title === 'string' ? [`${title}: `] : []), `${ofType}: `],
        };
      }),
    ),
  );
}

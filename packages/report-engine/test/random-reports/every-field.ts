import { createDataset, type RandomReports } from './check.ts';
import { fields } from './fields.ts';
import { isSame, tableOf } from './tiles.ts';

/** The most rows of a page, which have one tile each. */
const maxTiles = 30;

/** In the second one, it is another day. */
const timeZones = ['UTC', 'America/New_York'];

/**
 * Compares the values of each field in all rows with a plain computation.
 *
 * @returns the fields that differ, with their groups and the right ones
 */
export async function compareEveryField({
  stage,
  rows,
  source,
  declared = [],
}: Pick<RandomReports, 'stage' | 'rows' | 'source' | 'declared'>): Promise<unknown[]> {
  const different: unknown[] = [];
  for (const timeZone of timeZones)
    for (let start = 0; start < fields.length; start += maxTiles) {
      const shown = fields.slice(start, start + maxTiles);
      const tables = shown.map(tableOf);
      const actual = await stage.tilesOf(
        createDataset(source, declared, timeZone),
        tables.map(({ written }) => written) as never,
      );
      for (const [index, { show }] of tables.entries()) {
        const expected = show(rows, timeZone);
        if (!isSame(actual[index], expected))
          different.push([shown[index]?.name, timeZone, actual[index], expected]);
      }
    }
  return different;
}

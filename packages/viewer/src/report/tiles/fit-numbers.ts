import type { FailedTile, KpiTile, Tile } from '@portal-embed/report-model';

import type { Formats } from '../../format/create-formats.ts';

/** Sign and space before a number that is judged. */
const signLength = 2;

const isNumber = (tile: Tile | FailedTile): tile is KpiTile =>
  tile.type === 'kpi' && !('failure' in tile);

/**
 * What decides the size of the numbers in a row, so that all have the same one and none is cut off: the
 * letters of the longest in steps of four, and the columns of the narrowest tile.
 */
export function fitNumbers(tiles: readonly (Tile | FailedTile)[], formats: Formats) {
  const numbers = tiles.filter(isNumber);
  if (numbers.length === 0) return {};
  const letters = numbers.map(
    ({ metric, value }) =>
      formats.formatNumber(value, metric.format).length +
      (metric.conditionalFormat ? signLength : 0),
  );
  return {
    'data-fits': Math.ceil(Math.max(...letters) / 4),
    'data-columns': Math.min(...numbers.map(({ width }) => width)),
  };
}

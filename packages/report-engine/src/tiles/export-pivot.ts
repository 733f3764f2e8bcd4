import type { Key, Value } from '@portal-embed/report-model';

import type { ExportColumn, ExportedTile, ExportHead } from '#platform';

import { keyTypeOf } from '../plan/plan.ts';
import type { TileContext, TileOf } from './context.ts';
import { idOf, listSets, PivotQueries } from './pivot-groups.ts';
import { hasSubtotals, pivotLimits } from './pivot.ts';

/**
 * Limits of a pivot that is exported as one: its groups, which are in memory, and its cells with the
 * empty ones.
 */
const maxGroups = 100_000;
const maxCells = 1_000_000;

/** Rows that are written at once. */
const batchRows = 1_000;

/** As in the exports of other tiles, words are in English. */
const total = 'Total';

/** Keys of the first dimensions of rows or columns: a leaf has all of them, a subtotal fewer. */
type Prefix = readonly Key[];

/**
 * Exports a pivot as a pivot: heads above the columns, subtotals and totals. Returns `undefined` if it
 * is too large.
 *
 * @param batchSize number of groups of one query
 */
export async function exportPivot(
  context: TileContext,
  tile: TileOf<'pivot'>,
  run: TileContext['run'],
  batchSize: number,
): Promise<ExportedTile | undefined> {
  const queries = new PivotQueries(context, tile, run);
  const { rowCount, columnCount, metrics } = queries;
  const values = new Map<string, Value[]>();
  const cells = await readSet(rowCount, columnCount);
  if (!cells) return undefined;
  const leaves = (await readSet(0, columnCount)) ?? [];
  if (leaves.length > pivotLimits.columns) return undefined;
  for (const { rows, columns } of listSets(rowCount, columnCount))
    if (rows > 0 || columns < columnCount) await readSet(rows, columns);
  const known = [...new Map(cells.map((keys) => keys.slice(0, rowCount)).map(toEntry)).values()];
  const sorted = await queries.sortRows(known, tile.sort, maxGroups);
  const options = { hasTotals: tile.totals, hasSubtotals: hasSubtotals(tile) };
  const rows = listPrefixes(sorted, rowCount, options);
  const columns = listPrefixes(leaves, columnCount, options);
  if (rows.length * columns.length * metrics.length > maxCells) return undefined;
  const read = (row: Prefix, column: Prefix) =>
    values.get(idOf([row, column])) ?? metrics.map(() => null);
  return {
    columns: [...describeRowHeads(), ...columns.flatMap(describeColumn)],
    rowCount: rows.length,
    rows: (async function* () {
      for (let start = 0; start < rows.length; start += batchRows)
        yield rows
          .slice(start, start + batchRows)
          .map((row) =>
            nameRow(row, rowCount).concat(columns.flatMap((column) => read(row, column))),
          );
    })(),
  };

  /** Reads a set of groups. Returns their keys, or `undefined` if there are too many. */
  async function readSet(ofRows: number, ofColumns: number): Promise<Key[][] | undefined> {
    const found: Key[][] = [];
    for await (const batch of queries.read({ rows: ofRows, columns: ofColumns }, batchSize)) {
      if (batch.groupCount > maxGroups) return undefined;
      for (const { keys, values: ofGroup } of batch.groups) {
        found.push(keys);
        values.set(idOf([keys.slice(0, ofRows), keys.slice(ofRows)]), ofGroup);
      }
    }
    return found;
  }

  function describeRowHeads(): ExportColumn[] {
    return tile.rows.map(({ name }, index) => ({
      name,
      type: keyTypeOf(queries.dimensions[index]!),
      heads: [],
    }));
  }

  /** The columns of all metrics below one head. */
  function describeColumn(keys: Prefix): ExportColumn[] {
    const heads = tile.columns.map((_, level): ExportHead =>
      level < keys.length
        ? { value: keys[level]!, type: keyTypeOf(queries.dimensions[rowCount + level]!) }
        : { value: level === keys.length ? total : null, type: 'text' },
    );
    return metrics.map(({ name, type, format }) => ({ name, type, format, heads }));
  }
}

const toEntry = (keys: Key[]): [string, Key[]] => [idOf(keys), keys];

/** Names a row. The name of a subtotal stands at the first dimension that it combines. */
const nameRow = (keys: Prefix, count: number): Key[] =>
  Array.from({ length: count }, (_, level) =>
    level < keys.length ? keys[level]! : level === keys.length ? total : null,
  );

/** The leaves, each group followed by its subtotal, and the total at the end. */
function listPrefixes(
  leaves: readonly Prefix[],
  count: number,
  { hasTotals, hasSubtotals: isSplit }: { hasTotals: boolean; hasSubtotals: boolean },
): Prefix[] {
  const listed = leaves.flatMap((keys, index): Prefix[] => {
    const next = leaves[index + 1];
    const ended = Array.from({ length: count - 1 }, (_, place) => keys.slice(0, count - 1 - place));
    const isEnd = (prefix: Prefix) =>
      next === undefined || idOf(next.slice(0, prefix.length)) !== idOf(prefix);
    return [keys, ...(isSplit ? ended.filter(isEnd) : [])];
  });
  return hasTotals ? [...listed, []] : listed;
}

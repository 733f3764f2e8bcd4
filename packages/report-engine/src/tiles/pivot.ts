import type { Key, PivotTile } from '@portal-embed/report-model';

import type { PlanGroups } from '../plan/plan.ts';
import {
  describeDimension,
  describeMetric,
  describeTile,
  maxGroups,
  TileError,
  type ComputeTile,
  type TileOf,
} from './context.ts';
import { idOf, listSets, PivotQueries, toGroups, type PivotSet } from './pivot-groups.ts';
import { findIncompleteKey } from './series.ts';

/** Maximum number of rows and columns of a pivot table. */
export const pivotLimits = { rows: 500, columns: 100 } as const;

/** Whether a pivot shows subtotals. Default: where it shows totals. */
export const hasSubtotals = ({ subtotals, totals }: TileOf<'pivot'>): boolean =>
  subtotals ?? totals;

export const computePivot: ComputeTile<'pivot'> = async (context, tile) => {
  const { dataset, run } = context;
  const queries = new PivotQueries(context, tile, run);
  const { rowCount, columnCount, metrics } = queries;
  const isUsed = ({ rows, columns }: PivotSet) =>
    (rows % rowCount === 0 && columns % columnCount === 0) ||
    (hasSubtotals(tile) && (tile.totals || (rows > 0 && columns > 0)));
  const sets = listSets(rowCount, columnCount).filter(isUsed);
  // As many rows as cells: which of them are shown depends on their order.
  const limitOf = ({ rows, columns }: PivotSet) =>
    rows === 0 && columns === columnCount ? pivotLimits.columns : maxGroups;
  const { cells, find } = await queries.compute(
    sets.map((set) => ({ ...set, limit: limitOf(set) })),
    maxGroups,
  );
  const [ofRows, ofColumns] = [find(rowCount, 0), find(0, columnCount)];
  if (ofColumns.groupCount > pivotLimits.columns)
    throw new TileError({
      code: 'too_many_columns',
      columns: ofColumns.groupCount,
      limit: pivotLimits.columns,
    });
  const isCut = cells.groupCount > cells.groups.length;
  const complete = listComplete(ofRows, cells, rowCount);
  // The order of rows whose cells are not known is not known either.
  const sort = isCut ? undefined : tile.sort;
  const sorted = await queries.sortRows(complete, sort, maxGroups);
  const places = new Map(sorted.slice(0, pivotLimits.rows).map((keys, at) => [idOf(keys), at]));
  const placeOf = ({ keys }: { keys: readonly Key[] }) => places.get(idOf(keys.slice(0, rowCount)));
  const pick = ({ groups }: PlanGroups) =>
    toGroups(groups)
      .filter((group) => placeOf(group) !== undefined)
      .toSorted((one, other) => placeOf(one)! - placeOf(other)!);
  const prefixes = new Set(
    [...sorted.slice(0, pivotLimits.rows)].flatMap((keys) =>
      keys.map((_, index) => idOf(keys.slice(0, index))),
    ),
  );
  const readSubtotals = ({ rows, columns }: PivotSet) => ({
    rows,
    columns,
    groups:
      rows === rowCount
        ? pick(find(rows, columns))
        : toGroups(find(rows, columns).groups).filter(({ keys }) =>
            prefixes.has(idOf(keys.slice(0, rows))),
          ),
  });
  const subtotals = sets.filter(
    ({ rows, columns }) => rows % rowCount !== 0 || columns % columnCount !== 0,
  );
  const incompleteKeys = [...tile.rows, ...tile.columns].flatMap((dimension, index) => {
    const key = findIncompleteKey(
      context,
      dimension,
      cells.groups.map(({ keys }) => keys[index] ?? null),
    );
    return key === undefined ? [] : [{ dimension: index, key }];
  });
  return {
    ...describeTile(tile),
    rows: tile.rows.map((dimension) => describeDimension(dataset, dimension)),
    columns: tile.columns.map((dimension) => describeDimension(dataset, dimension)),
    metrics: metrics.map((metric) => describeMetric(metric, tile.conditionalFormat?.[metric.name])),
    groups: pick(cells),
    groupCount: ofRows.groupCount,
    shownCount: places.size,
    ...(tile.totals
      ? {
          totals: {
            rows: pick(ofRows),
            columns: toGroups(ofColumns.groups),
            all: find(0, 0).groups[0]?.values ?? [],
          },
        }
      : {}),
    ...(subtotals.length > 0 ? { subtotals: subtotals.map(readSubtotals) } : {}),
    ...(sort ? { sort } : {}),
    ...(isCut ? { isUnsortable: true } : {}),
    ...(incompleteKeys.length > 0 ? { incompleteKeys } : {}),
  } satisfies PivotTile;
};

/** The rows with all of their cells. One whose cells are cut by the limit is left out. */
function listComplete(ofRows: PlanGroups, cells: PlanGroups, rowCount: number): Key[][] {
  const rowOf = ({ keys }: { keys: readonly Key[] }) => idOf(keys.slice(0, rowCount));
  const isCut = cells.groupCount > cells.groups.length;
  const cutRow = isCut ? rowOf(cells.groups.at(-1) ?? { keys: [] }) : undefined;
  const found = new Set(cells.groups.map(rowOf));
  return ofRows.groups
    .filter((row) => rowOf(row) !== cutRow && found.has(rowOf(row)))
    .map(({ keys }) => keys);
}

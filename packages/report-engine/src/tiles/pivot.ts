import type { Key } from '@portal-embed/report-model';

import type { PlanGroup } from '../plan/plan.ts';
import {
  describeDimension,
  describeMetric,
  describeTile,
  findMetric,
  maxGroups,
  planDimension,
  TileError,
  type ComputeTile,
} from './context.ts';

/** Maximum number of rows and columns of a pivot table. */
const limits = { rows: 500, columns: 100 } as const;

const none = { groups: [], groupCount: 0 };

const toGroups = (groups: readonly PlanGroup[]) =>
  groups.map(({ keys, values }) => ({ keys, values }));

export const computePivot: ComputeTile<'pivot'> = async ({ dataset, rows, run }, tile) => {
  const metrics = tile.metrics.map((name) => findMetric(dataset, name));
  const side = {
    rows: tile.rows.map((dimension) => planDimension(dataset, dimension)),
    columns: tile.columns.map((dimension) => planDimension(dataset, dimension)),
  };
  const dimensions = [...side.rows, ...side.columns];
  const indexes = [...dimensions.keys()];
  const ofCells = await run({
    rows,
    dimensions,
    metrics: metrics.map(({ expression }) => expression),
    order: [],
    limit: maxGroups,
    subtotals: [
      { dimensions: indexes.slice(0, side.rows.length), limit: limits.rows },
      { dimensions: indexes.slice(side.rows.length), limit: limits.columns },
      { dimensions: [] },
    ],
  });
  const [ofRows = none, ofColumns = none, ofAll = none] = ofCells.subtotals;
  if (ofColumns.groupCount > limits.columns)
    throw new TileError({
      code: 'too_many_columns',
      columns: ofColumns.groupCount,
      limit: limits.columns,
    });
  const rowOf = ({ keys }: { keys: readonly Key[] }) =>
    JSON.stringify(keys.slice(0, side.rows.length));
  // A row whose cells are cut by the limit would be incomplete, so it is left out.
  const isCut = ofCells.groupCount > ofCells.groups.length;
  const cutRow = isCut ? rowOf(ofCells.groups.at(-1) ?? { keys: [] }) : undefined;
  const found = new Set(ofCells.groups.map(rowOf));
  const shown = ofRows.groups.filter((row) => rowOf(row) !== cutRow && found.has(rowOf(row)));
  const shownRows = new Set(shown.map(rowOf));
  const cells = ofCells.groups.filter((cell) => shownRows.has(rowOf(cell)));
  return {
    ...describeTile(tile),
    rows: tile.rows.map((dimension) => describeDimension(dataset, dimension)),
    columns: tile.columns.map((dimension) => describeDimension(dataset, dimension)),
    metrics: metrics.map((metric) => describeMetric(metric, tile.conditionalFormat?.[metric.name])),
    groups: toGroups(cells),
    groupCount: ofRows.groupCount,
    shownCount: shown.length,
    ...(tile.totals
      ? {
          totals: {
            rows: toGroups(shown),
            columns: toGroups(ofColumns.groups),
            all: ofAll.groups[0]?.values ?? [],
          },
        }
      : {}),
  };
};

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

/** The most rows and columns of a pivot table. */
const limits = { rows: 500, columns: 100 } as const;

const toGroups = (groups: readonly PlanGroup[]) =>
  groups.map(({ keys, values }) => ({ keys, values }));

export const computePivot: ComputeTile<'pivot'> = async ({ dataset, rows, run }, tile) => {
  const metrics = tile.metrics.map((name) => findMetric(dataset, name));
  const side = {
    rows: tile.rows.map((dimension) => planDimension(dataset, dimension)),
    columns: tile.columns.map((dimension) => planDimension(dataset, dimension)),
  };
  const base = { rows, metrics: metrics.map(({ expression }) => expression), order: [] };
  const [ofRows, ofColumns, ofCells] = await Promise.all([
    run({ ...base, dimensions: side.rows, limit: limits.rows, totals: true }),
    run({ ...base, dimensions: side.columns, limit: limits.columns }),
    run({ ...base, dimensions: [...side.rows, ...side.columns], limit: maxGroups }),
  ]);
  if (ofColumns.groupCount > limits.columns)
    throw new TileError(
      `This table would have ${ofColumns.groupCount.toLocaleString('en')} columns, and at most ${limits.columns} are shown. Filter it, or choose other columns.`,
    );
  const rowOf = ({ keys }: { keys: readonly Key[] }) =>
    JSON.stringify(keys.slice(0, side.rows.length));
  // Cells beyond the limit are missing, so their row is, too.
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
    metrics: metrics.map(describeMetric),
    groups: toGroups(cells),
    groupCount: ofRows.groupCount,
    shownCount: shown.length,
    ...(tile.totals
      ? {
          totals: {
            rows: toGroups(shown),
            columns: toGroups(ofColumns.groups),
            all: ofRows.totals ?? [],
          },
        }
      : {}),
  };
};

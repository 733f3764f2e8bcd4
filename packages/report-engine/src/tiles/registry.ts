import type { Tile, TileType } from '@portal-embed/report-model';

import { computeArea } from './area.ts';
import { computeBar } from './bar.ts';
import { computeColumn } from './column.ts';
import type { ComputeTile, TileContext, TileOf } from './context.ts';
import { computeDonut } from './donut.ts';
import { computeKpi } from './kpi.ts';
import { computeLine } from './line.ts';
import { computePivot } from './pivot.ts';
import { computeScatter } from './scatter.ts';
import { computeTable } from './table.ts';
import { computeText } from './text.ts';

const kinds: { [Type in TileType]: ComputeTile<Type> } = {
  area: computeArea,
  bar: computeBar,
  column: computeColumn,
  donut: computeDonut,
  kpi: computeKpi,
  line: computeLine,
  pivot: computePivot,
  scatter: computeScatter,
  table: computeTable,
  text: computeText,
};

/** Computes a tile of any kind. */
export const computeTile = <Type extends TileType>(
  context: TileContext,
  tile: TileOf<Type> & { type: Type },
): Promise<Tile> => kinds[tile.type](context, tile);

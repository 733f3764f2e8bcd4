import type { Drill, ResolvedDataset, ResolvedTile } from '@portal-embed/report-model';

import { describeDimension } from '../tiles/context.ts';
import { listLevels, replaceTop } from './levels.ts';
import type { ReadDrill, ReadView } from './read-view.ts';

/** The tile in the order and at the level that the reader has chosen. */
export function applyView(tile: ResolvedTile, { sorts, drills }: ReadView): ResolvedTile {
  if (tile.type === 'pivot') return { ...tile, sort: sorts.get(tile.id) };
  if (tile.type === 'table') return { ...tile, sort: sorts.get(tile.id) ?? tile.sort };
  const drill = drills.get(tile.id);
  return drill ? replaceTop(tile, drill.level) : tile;
}

/** Where the reader is in the levels of a chart. Other tiles have no levels. */
export function describeDrill(
  dataset: ResolvedDataset,
  tile: ResolvedTile,
  drill: ReadDrill | undefined,
): { drill?: Drill } {
  const next = drill ? drill.next : listLevels(dataset, tile)[1];
  const path = (drill?.path ?? []).map(({ dimension, key }) => ({
    dimension: describeDimension(dataset, dimension),
    key,
  }));
  if (path.length === 0 && !next) return {};
  return { drill: { path, ...(next ? { next: describeDimension(dataset, next) } : {}) } };
}

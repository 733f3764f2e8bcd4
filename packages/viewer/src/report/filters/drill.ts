import type { Key } from '@portal-embed/report-model';

import type { ReaderView } from '../../requests/reader-view.ts';
import { replaceFilters } from './change-view.ts';
import { readSelection } from './selection.ts';

/** Lets the selected marks of a tile filter all pages of the report, or only their own. */
export function setAllPages(view: ReaderView, tile: string, isOnAllPages: boolean): ReaderView {
  const own = view.filters.filter((filter) => filter.tile === tile);
  return replaceFilters(view, tile, own, isOnAllPages);
}

/**
 * Shows another level of a chart. The marks of the levels above still filter the other tiles. Those of
 * the previous level are no longer selected.
 */
export function drillTo(view: ReaderView, tile: string, path: readonly Key[]): ReaderView {
  const { path: known, marks, isOnAllPages } = readSelection(view, tile);
  const above = [...known, ...(marks.length === 1 ? marks[0]! : [])].slice(0, path.length);
  return {
    ...replaceFilters(view, tile, above, isOnAllPages),
    drills: [
      ...view.drills.filter((drill) => drill.tile !== tile),
      ...(path.length > 0 ? [{ tile, path: [...path] }] : []),
    ],
  };
}

import type { Key } from '@portal-embed/report-model';

import type {
  FilterField,
  ReaderFilter,
  ReaderView,
  TileSearch,
  TileSort,
} from '../../requests/reader-view.ts';

/** Replaces the values of a filter. Without values, a default of the report no longer applies. */
export function setFilter(
  view: ReaderView,
  { name, default: values }: FilterField,
  chosen: readonly Key[],
): ReaderView {
  const others = view.filters.filter(({ field, tile }) => field !== name || tile !== undefined);
  const isKept = chosen.length > 0 || values !== undefined;
  return {
    ...view,
    filters: [...others, ...(isKept ? [{ field: name, values: [...chosen] }] : [])],
  };
}

/** Replaces the selected marks of a tile. */
export const selectMarks = (
  view: ReaderView,
  tile: string,
  filters: readonly ReaderFilter[],
): ReaderView => ({
  ...view,
  filters: [
    ...view.filters.filter((filter) => filter.tile !== tile),
    ...filters.map((filter) => ({ ...filter, tile })),
  ],
});

/** Shows another level of a chart. The marks of the previous level are no longer selected. */
export const drillTo = (view: ReaderView, tile: string, path: readonly Key[]): ReaderView => ({
  ...selectMarks(view, tile, []),
  drills: [
    ...view.drills.filter((drill) => drill.tile !== tile),
    ...(path.length > 0 ? [{ tile, path: [...path] }] : []),
  ],
});

/** Searches a table. An empty text ends the search. */
export function setSearch(view: ReaderView, search: TileSearch): ReaderView {
  const others = (view.searches ?? []).filter(({ tile }) => tile !== search.tile);
  const searches = search.text === '' ? others : [...others, search];
  const { searches: _, ...rest } = view;
  return searches.length === 0 ? rest : { ...rest, searches };
}

/** Orders a table. */
export const setSort = (view: ReaderView, sort: TileSort): ReaderView => ({
  ...view,
  sorts: [...view.sorts.filter(({ tile }) => tile !== sort.tile), sort],
});

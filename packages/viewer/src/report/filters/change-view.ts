import type { Key } from '@portal-embed/report-model';

import type {
  FilterField,
  ReaderFilter,
  ReaderView,
  TileSearch,
  TileSort,
} from '../../requests/reader-view.ts';
import { readSelection, writeMarks, type SelectedMark } from './selection.ts';

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

/** Replaces the selected marks of a tile. The levels to which the reader has drilled down stay. */
export function selectMarks(
  view: ReaderView,
  tile: string,
  marks: readonly SelectedMark[],
): ReaderView {
  const { path, isOnAllPages } = readSelection(view, tile);
  return replaceFilters(view, tile, [...path, ...writeMarks(marks)], isOnAllPages);
}

/** Replaces the filters of the marks of a tile. */
export const replaceFilters = (
  view: ReaderView,
  tile: string,
  filters: readonly ReaderFilter[],
  isOnAllPages: boolean,
): ReaderView => ({
  ...view,
  filters: [
    ...view.filters.filter((filter) => filter.tile !== tile),
    ...filters.map(({ allPages: _allPages, ...filter }) => ({
      ...filter,
      tile,
      ...(isOnAllPages && { allPages: true }),
    })),
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

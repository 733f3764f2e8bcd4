import type { ReaderView } from '../../requests/reader-view.ts';

/** The reader has chosen nothing. */
export const emptyView: ReaderView = { filters: [], sorts: [], drills: [] };

export const isEmptyView = ({ filters, sorts, drills, searches = [] }: ReaderView): boolean =>
  filters.length + sorts.length + drills.length + searches.length === 0;

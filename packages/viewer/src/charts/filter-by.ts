import type { Dimension, Key } from '@portal-embed/report-model';

import type { ReaderFilter } from '../requests/reader-view.ts';

/** Something that a reader can select: a place of a chart, a point, a row or a cell of a table. */
export interface Mark {
  name: string;
  /** The filters that select its rows. Without filters, it cannot be selected. */
  filters: readonly ReaderFilter[];
  /** Shows the places that are folded into this one. */
  onUnfold?: () => void;
}

/** The filters by the keys of a mark. Returns none if readers cannot filter by one of the dimensions. */
export function filterBy(
  dimensions: readonly Dimension[],
  keys: readonly (Key | undefined)[],
): ReaderFilter[] {
  const filters = dimensions.flatMap(({ field, grain }, index) =>
    field === undefined ? [] : [{ field, values: [keys[index] ?? null], ...(grain && { grain }) }],
  );
  return filters.length === dimensions.length ? filters : [];
}

import type { ComputedReport } from '#platform';

/** A report without tiles, as a platform answers. */
export const emptyReport: ComputedReport = {
  unappliedFilters: [],
  unreadableFilters: [],
  readerFilters: [],
  filterFields: [],
  rowCount: 0,
  timeZone: 'UTC',
  pages: [''],
  page: { name: '', index: 0, rows: [] },
};

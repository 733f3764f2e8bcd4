import type { ReaderFilter, ReaderView } from '@portal-embed/report-model';

/** A reader view with these filters only. */
export const readerView = (...filters: ReaderFilter[]): ReaderView => ({
  filters,
  sorts: [],
  drills: [],
});

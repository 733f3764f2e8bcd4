import type { ReportView } from './requests/viewer.ts';

/** The index of the shown page; `undefined` for a report whose pages the portal does not know. */
export const pageIndexOf = (view: ReportView | null): number | undefined =>
  view?.kind === 'tiles' ? view.page.index : undefined;

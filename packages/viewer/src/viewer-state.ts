import type { ServiceError } from 'page-kit/service-error';

import type { ChartCode } from './chart-code.ts';
import type { Formats } from './format/create-formats.ts';
import { isSameFrame } from './frames/held.ts';
import type { ShownFrame } from './frames/shown-frame.ts';
import { pageIndexOf } from './page-index.ts';
import { pathOf } from './paths.ts';
import { emptyView } from './report/filters/empty-view.ts';
import type { ReaderView } from './requests/reader-view.ts';
import type { ReportSummary, ReportView, TilesView, ViewerSession } from './requests/viewer.ts';

export interface ViewerState {
  session: ViewerSession;
  /** What this user may open. */
  reports: ReportSummary[];
  /** Ids of the reports that the reader has marked. */
  favorites: readonly string[];
  /** Ids of the reports that the reader opened last, the latest first. */
  recent: readonly string[];
  /** The open report, or `null` for the overview. */
  reportId: string | null;
  /** The page of the report that the reader has selected. */
  pageIndex: number;
  /** What the reader has chosen in the report. */
  readerView: ReaderView;
  /** Id of the tile in which each further mark is added to the selected ones. */
  addingTo: string | null;
  /** What the reader has chosen in a frame of another product, as text that only its platform reads. */
  frameView: string;
  /** The `frameView` with which the shown frame has started. Another one loads the frame anew. */
  frameStart: string;
  /** Whether a view of the host or choices of the reader did not fit the report and are not shown. */
  isViewRefused: boolean;
  /** The open report's data, once loaded. It can still belong to the previous page. */
  view: ReportView | null;
  /** The shown frame; `null` until it has drawn the report. */
  frame: ShownFrame | null;
  /** When `view` was computed, by this browser's clock. */
  viewedAt: Date | null;
  loading: boolean;
  problem: ServiceError | null;
  /** Whether the page is laid out for sheets. */
  isPrinting: boolean;
  /** The other pages of the report, while all of them are printed. */
  printedPages: readonly TilesView['page'][];
  /** Whether the session has ended, so that nothing more can be shown. */
  ended: boolean;
  /** The code of charts: `undefined` until it has loaded, `null` if that failed. */
  chartCode: ChartCode | null | undefined;
  formats: Formats;
}

/** Where the reader is in a report that has just been opened. */
export const initialPosition = {
  pageIndex: 0,
  readerView: emptyView,
  addingTo: null,
  frameView: '',
  frameStart: '',
  isViewRefused: false,
};

/** Nothing of a report. */
export const emptyPage = { view: null, frame: null, viewedAt: null };

/** The state of a session before it shows anything. */
export const createState = (session: ViewerSession, formats: Formats): ViewerState => ({
  session,
  reports: session.reports,
  favorites: session.favorites,
  recent: session.recent,
  reportId: session.reportId ?? findLanding(session),
  ...initialPosition,
  ...emptyPage,
  isPrinting: false,
  printedPages: [],
  loading: true,
  problem: null,
  ended: false,
  chartCode: undefined,
  formats,
});

/** The report with which the whole portal opens; `null` for the overview. */
const findLanding = (session: ViewerSession): string | null =>
  session.reports.find(({ id }) => pathOf(session, id) === session.path)?.id ?? null;

/** Returns what changes with a report. If its page does not exist, the service answers with the first one. */
export function reportState(state: ViewerState, view: ReportView): Partial<ViewerState> {
  const index = pageIndexOf(view) ?? state.pageIndex;
  const isViewRefused = state.isViewRefused || index !== state.pageIndex;
  const part = { view, pageIndex: index, isViewRefused };
  return isSameFrame(state.view, view) ? part : { ...part, frame: null, viewedAt: new Date() };
}

/** Returns what changes with another session of the same user. The report stays if the session can show it. */
export function continueState(
  { reportId: shownId, view }: ViewerState,
  session: ViewerSession,
): Partial<ViewerState> & Pick<ViewerState, 'reportId'> {
  const isReadable = session.reports.some((report) => report.id === shownId);
  const reportId = session.reportId ?? (isReadable ? shownId : null);
  const isShown = view !== null && (session.view ?? view).report.id === reportId;
  return {
    session,
    reports: session.reports,
    favorites: session.favorites,
    recent: session.recent,
    reportId,
    loading: true,
    problem: null,
    ended: false,
    ...(reportId !== shownId && initialPosition),
    ...(!isShown && emptyPage),
  };
}

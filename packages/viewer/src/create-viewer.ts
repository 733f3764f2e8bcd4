import type { ExportFormat } from '@portal-embed/contract/frame';
import { ServiceError } from 'page-kit/service-error';

import { createMarks } from './create-marks.ts';
import { createPlace } from './create-place.ts';
import type { Formats } from './format/create-formats.ts';
import { findHostCause, type FrameFailure } from './frames/frame-failure.ts';
import { isSameFrame, limitAnswer, readHeld, toLocalClock } from './frames/held.ts';
import type { FrameParts } from './frames/shown-frame.ts';
import { pageIndexOf } from './page-index.ts';
import { pathOf } from './paths.ts';
import { listSelections } from './report/filters/list-selections.ts';
import { emptyView, isEmptyView } from './report/filters/reader-view.ts';
import type { ReaderView, ValuesRequest } from './requests/reader-view.ts';
import type { ReportView, ViewAnswer, ViewRequest, ViewerSession } from './requests/viewer.ts';
import { readView, writeView } from './view-text.ts';
import type { ViewerParts } from './viewer-parts.ts';
import { createState, emptyPage, initialPlace, type ViewerState } from './viewer-state.ts';

/** Longest time that the data of an ended session stays while the host opens a new one. */
const endAfterMs = 10_000;

export type Viewer = ReturnType<typeof createViewer>;

/** State of the page and its transitions, without rendering. */
export function createViewer({
  createApi,
  post,
  hasHost,
  showPath,
  loadCharts,
  formats,
  ...parts
}: ViewerParts) {
  let { session, id: openId } = parts;
  let api = createApi(session.bearer);
  let state = createState(session, formats);
  const listeners = new Set<() => void>();
  let current = new AbortController();
  let isStarted = false;
  // Whether the host waits for `ready`.
  let isAwaited = true;
  // The data that came with the page answers the first request.
  let firstView = session.view;
  let endTimer: ReturnType<typeof setTimeout> | undefined;
  let hasCharts = false;

  function change(part: Partial<ViewerState>) {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function settle(part: Partial<ViewerState>) {
    change({ loading: false, problem: null, ...part });
  }

  function fail(error: unknown) {
    const problem = error instanceof ServiceError ? error : new ServiceError('internal_error');
    if (problem.code === 'session_required') {
      // The host can open a new session, which then replaces the report without a blank.
      if (hasHost()) endTimer ??= setTimeout(end, endAfterMs);
      else end();
      post({ type: 'session-required', ...answered(), reason: 'session-ended' });
      return;
    }
    const isRevoked = problem.code === 'report_not_accessible';
    const isUnfiltered = problem.code === 'filters_not_applied';
    settle({ problem });
    // A report that may no longer be shown disappears at once; a revoked one also leaves the list.
    if (isRevoked || isUnfiltered || isFrameOver(problem)) change(emptyPage);
    if (isRevoked) change({ reports: state.reports.filter(({ id }) => id !== state.reportId) });
    // In the whole portal the reader can continue, so the host is not notified of a failed report.
    if (state.view ? !isAwaited : session.reportId === null) return;
    post({
      type: 'failed',
      ...answered(),
      cause: isRevoked || isUnfiltered ? problem.code : findHostCause(problem),
    });
  }

  const place = createPlace(
    (shown) => post({ type: 'view', ...answered(), ...shown }),
    () => writeView(session, state),
  );

  /** What the code of frames needs, which loads with the first frame. */
  const frameParts: FrameParts = {
    change,
    fail,
    beginRequest,
    settleAnswer,
    viewReport: (...request) => api.viewReport(...request),
    noteView() {
      place.change();
      place.post();
    },
  };

  /** The shown frame cannot show its report. */
  function failFrame(reason: FrameFailure) {
    // A confirmation would remove the problem.
    beginRequest();
    change(emptyPage);
    fail(new ServiceError('report_failed', { reason }));
  }

  /** Whether a problem ends the shown frame: a decision at once, a failure with the token. */
  const isFrameOver = ({ reason }: ServiceError) =>
    reason === 'not_set_up' || (readHeld(state.view)?.secondsLeft ?? 1) <= 0;

  const marks = createMarks({
    getMarks: () => state,
    change,
    setFavorite: (...request) => api.setFavorite(...request),
    fail,
  });

  /** Aborts the request in flight: the latest request wins. */
  function beginRequest(): AbortSignal {
    current.abort();
    current = new AbortController();
    return current.signal;
  }

  // The retry of a failed opening is an opening too, so that the access log counts it.
  async function load(intent: ViewRequest['intent'] = state.view ? 'refresh' : 'open') {
    const signal = beginRequest();
    const { reportId, pageIndex, readerView } = state;
    const isUnchanged = isEmptyView(readerView);
    const isGiven =
      isUnchanged && firstView && [undefined, pageIndex].includes(pageIndexOf(firstView));
    const given = isGiven ? firstView : null;
    firstView = null;
    change({ loading: true });
    try {
      if (reportId === null) {
        const { reports, favorites, recent } = await api.listReports(signal);
        if (!signal.aborted) settle({ reports, favorites, recent });
        return;
      }
      const request = {
        intent,
        page: pageIndex,
        ...(!isUnchanged && { view: readerView }),
        held: readHeld(state.view),
      } as const;
      const limited = limitAnswer(request.held, signal);
      const answer = given ?? (await api.viewReport(reportId, request, limited));
      if (signal.aborted) return;
      const isSame = isSameFrame(state.view, answer);
      settleAnswer(answer);
      // The frame stays, and its product loads new data.
      if (isSame) change({ viewedAt: new Date() });
    } catch (error) {
      if (signal.aborted) return;
      // The report may have changed since the reader chose.
      const isRefused = error instanceof ServiceError && error.code === 'invalid_request';
      if (isRefused && !isUnchanged) refuseChoices();
      else fail(error);
    }
  }

  /** Computes the report without the choices that do not fit it. Its opening is already logged. */
  function refuseChoices() {
    change({ readerView: emptyView, isViewRefused: true });
    place.post();
    void load('refresh');
  }

  /** Replaces what the reader has chosen, and computes the report again. */
  function changeView(readerView: ReaderView) {
    const selections = listSelections(state.readerView, readerView);
    place.change();
    change({ readerView, problem: null, isViewRefused: false });
    for (const selection of selections) post({ type: 'selected', ...selection });
    place.post();
    void load();
  }

  /** Lists values of a field for the filters of the open report. */
  const listValues = (request: Pick<ValuesRequest, 'field' | 'search'>, signal: AbortSignal) => {
    const { reportId, readerView: view, pageIndex: page } = state;
    return api.listValues(reportId!, { ...request, view, page }, signal);
  };

  /** A frame that is kept stays as it is. */
  function settleAnswer(answer: ViewAnswer) {
    if (answer.kind === 'kept') settle({});
    else settleView(answer);
  }

  /** If the page does not exist, the service answers with the first one. */
  function settleView(answer: ReportView) {
    const view = toLocalClock(answer);
    const index = pageIndexOf(view) ?? state.pageIndex;
    const isViewRefused = state.isViewRefused || index !== state.pageIndex;
    const isSame = isSameFrame(state.view, view);
    const part = { view, pageIndex: index, isViewRefused };
    settle(isSame ? part : { ...part, frame: null, viewedAt: new Date() });
  }

  /** The `id` of answers to the host. */
  const answered = () => (openId === undefined ? {} : { id: openId });

  /** Removes all data: the session is over, and no other one has come. */
  const end = () => settle({ ended: true, ...emptyPage });

  function goTo(reportId: string | null) {
    place.leave();
    change({ ...initialPlace, ...emptyPage, reportId, problem: null });
    showPath(pathOf(session, reportId));
  }

  /** Applies a view of the host. Returns whether its data must be loaded. */
  function applyView(text: string, scroll?: number): boolean {
    const next = readView(session, text);
    const isChanged = next !== undefined && writeView(session, next) !== writeView(session, state);
    if (next && next.reportId !== state.reportId) goTo(next.reportId);
    change({ ...next, ...(next && { frameStart: next.frameView }), isViewRefused: !next });
    place.take(text, next && scroll);
    return isChanged;
  }

  /** Shows the data that came with the page before the host has answered. */
  function preview() {
    if (firstView) settleView(firstView);
  }

  /** Starts at the view that the host names. A late answer only changes the view. */
  function start(view?: string, scroll?: number) {
    if (isStarted) {
      if (view === undefined) place.post();
      else showView(view, scroll);
      return;
    }
    isStarted = true;
    if (view !== undefined) applyView(view, scroll);
    place.post();
    if (state.reportId === null) settle({});
    else void load();
  }

  /** Shows another view in place. */
  function showView(view: string, scroll?: number) {
    if (applyView(view, scroll) && !state.ended) void load();
    else noteDrawn();
  }

  /** Opens a report, or with `null` the overview. */
  function open(reportId: string | null) {
    goTo(reportId);
    if (reportId !== null) marks.noteOpened(reportId);
    post({ type: 'navigated', path: pathOf(session, reportId), reportId });
    place.post();
    void load();
  }

  /** Shows another page of the open report. */
  function selectPage(pageIndex: number) {
    if (pageIndex === state.pageIndex) return;
    place.leave();
    change({ pageIndex, problem: null, isViewRefused: false });
    place.post();
    void load();
  }

  /**
   * Continues with another session of the same user. The place of the reader stays if the session can
   * show it. `view` applies if the host has asked for another report.
   */
  function adopt(next: ViewerSession, id: number | undefined, view?: string) {
    clearTimeout(endTimer);
    endTimer = undefined;
    const isOtherRequest = next.reportId !== session.reportId;
    session = next;
    openId = id;
    api = createApi(next.bearer);
    firstView = next.view;
    isStarted = true;
    isAwaited = true;
    const isReadable = next.reports.some((report) => report.id === state.reportId);
    const reportId = next.reportId ?? (isReadable ? state.reportId : null);
    if (reportId !== state.reportId) place.leave(0);
    const isShown = state.view !== null && (next.view ?? state.view).report.id === reportId;
    change({
      session,
      reports: next.reports,
      favorites: next.favorites,
      recent: next.recent,
      reportId,
      loading: true,
      problem: null,
      ended: false,
      ...(reportId !== state.reportId && initialPlace),
      ...(!isShown && emptyPage),
    });
    showPath(pathOf(session, reportId));
    if (view !== undefined && isOtherRequest) applyView(view);
    place.post();
    if (state.reportId === null) settle({ view: null });
    else void load();
  }

  /** Requests a copy of what is shown. */
  const requestCopy = (action: 'export' | 'print', body: object) =>
    api.send(state.reportId!, action, body);

  /** Ends requests and timers. */
  function stop() {
    current.abort();
    marks.stop();
    clearTimeout(endTimer);
    listeners.clear();
  }

  /** Reloads the report, or retries a failed request. */
  const refresh = () => void load();

  /** Changes the language of what is shown. */
  const setFormats = (next: Formats) => change({ formats: next });

  /**
   * Sends the scroll position if a host has connected. Without a host, each message would stay in memory.
   * An ended session has no position.
   */
  function noteScrolled() {
    if (hasHost() && !state.ended) place.post();
  }

  /** Loads the code of charts. Called after the numbers and tables are drawn. */
  function startCharts() {
    if (hasCharts) return;
    hasCharts = true;
    void loadCharts().then((chartCode) => change({ chartCode }));
  }

  /** Runs after rendering: restores the scroll position and sends `ready` if the host waits. */
  function noteDrawn() {
    const { view, problem, loading } = state;
    const isPortal = session.reportId === null;
    const isWaiting = view?.kind === 'frame' && !state.frame;
    const isDrawn = view ? !problem && !isWaiting : isPortal;
    if (!isStarted || loading || !isDrawn) return;
    place.scroll();
    if (!isAwaited) return;
    isAwaited = false;
    post({ type: 'ready', ...answered(), unappliedFilters: view?.unappliedFilters ?? [] });
  }

  return {
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    preview,
    start,
    showView,
    adopt,
    stop,
    open,
    toggleFavorite: (reportId: string) => marks.toggleFavorite(reportId),
    selectPage,
    changeView,
    listValues,
    refresh,
    setFormats,
    startCharts,
    noteDrawn,
    noteScrolled,
    frameParts,
    failFrame,
    fail,
    requestCopy,
    /** Shows the page as on sheets, or as on the screen. */
    setPrinting: (isPrinting: boolean) => change({ isPrinting }),
    /** Tells the host that the reader has downloaded or printed the report. */
    noteExported: (format: ExportFormat) =>
      post({ type: 'exported', format, reportId: state.reportId! }),
  };
}

import type { FrameState, HostMessage, PortalMessage } from '@portal-embed/contract/frame';

import type { ViewerSession } from '../../wire/viewer.ts';
import type { DrawSeries } from '../charts/draw-series.ts';
import type { PortalApi } from '../session/portal-api.ts';
import { ServiceError } from '../session/service-error.ts';
import type { ServiceErrorCode } from '../session/service-error.ts';
import { pathOf, reportAt } from './paths.ts';
import type { ViewerState } from './viewer-state.ts';

export interface ViewerParts {
  session: ViewerSession;
  api: PortalApi;
  /** Sends a message to the host. */
  post: (message: PortalMessage) => void;
  /** Fetches the code that draws charts; `null` when it cannot be had. */
  loadCharts: () => Promise<DrawSeries | null>;
}

/** Failures that may be over at another try, which the page then makes after each of these pauses, in ms. */
const passing: ReadonlySet<ServiceErrorCode> = new Set([
  'unreachable',
  'internal_error',
  'database_unavailable',
  'overloaded',
  'rate_limited',
  'report_failed',
]);
const pauses = [2_000, 8_000, 30_000];

export type Viewer = ReturnType<typeof createViewer>;

/** What the page shows and how that changes, apart from how it looks. */
export function createViewer({ session, api, post, loadCharts }: ViewerParts) {
  let state: ViewerState = {
    reports: session.reports,
    reportId: session.reportId,
    filters: [],
    view: null,
    viewedFilters: null,
    viewedAt: null,
    loading: true,
    problem: null,
    ended: false,
    drawSeries: null,
  };
  const listeners = new Set<() => void>();
  let current = new AbortController();
  let isStarted = false;
  // The host has not heard yet that what it asked for is in the document.
  let isAwaited = true;
  let wasReady = false;
  // Where the reader was, until there is something to scroll again.
  let scrollAwaited: number | undefined;
  // What came with the page serves the first request.
  let firstView = session.view;
  // Of the filters that were set last, over a report that is shown without them.
  let failures = 0;
  let nextTry: ReturnType<typeof setTimeout> | undefined;

  function change(part: Partial<ViewerState>) {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function settle(part: Partial<ViewerState>) {
    change({ loading: false, problem: null, ...part });
  }

  function fail(error: unknown) {
    const problem =
      error instanceof ServiceError
        ? error
        : new ServiceError('internal_error', {
            title: 'The page failed',
            advice: 'Try again in a moment.',
          });
    if (problem.code === 'session_required') {
      settle({ ended: true, view: null, problem });
      post({ type: 'session-required', reason: 'session-ended' });
      return;
    }
    const isRevoked = problem.code === 'report_not_accessible';
    const isUnfiltered = problem.code === 'filters_not_applied';
    settle({ problem });
    // Removes a report at once that may no longer be shown; a revoked one also leaves the list.
    if (isRevoked || isUnfiltered) change({ view: null });
    if (isRevoked) change({ reports: state.reports.filter(({ id }) => id !== state.reportId) });
    if (state.view) {
      if (isAwaited) failFilters(problem.code);
      return;
    }
    // In the whole portal the reader can go on, so the host is not told of a failed report. Refused
    // filters are the exception: only the host can correct them.
    if (session.reportId === null && !(isUnfiltered && wasReady)) return;
    isAwaited &&= session.reportId !== null;
    post({
      type: 'failed',
      cause: isRevoked || isUnfiltered ? problem.code : 'report_failed',
    });
  }

  /** The report stays as it was and says so. The host, which believes it filtered, hears of it once. */
  function failFilters(code: ServiceErrorCode) {
    if (failures === 0) post({ type: 'failed', cause: 'report_failed' });
    const pause = pauses[failures++];
    if (pause && passing.has(code)) nextTry = setTimeout(refresh, pause);
  }

  /** Whatever was under way is given up: the newest wish wins. */
  async function load() {
    current.abort();
    clearTimeout(nextTry);
    const { signal } = (current = new AbortController());
    const { reportId, filters, view: shown } = state;
    // An opening that failed is tried again as one: it is what the access log counts.
    const intent = shown ? 'refresh' : 'open';
    const given = firstView;
    firstView = null;
    change({ loading: true });
    try {
      if (reportId === null) {
        const { reports } = await api.listReports(signal);
        if (!signal.aborted) settle({ reports });
        return;
      }
      const [view, drawSeries] = await Promise.all([
        given ?? api.viewReport(reportId, { intent, filters }, signal),
        loadCharts(),
      ]);
      if (!signal.aborted)
        settle({ view, viewedFilters: filters, viewedAt: new Date(), drawSeries });
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  const tellState = () => post({ type: 'state', state: currentPlace() });
  const currentPlace = (): FrameState => ({
    path: pathOf(session, state.reportId),
    scroll: scrollAwaited ?? window.scrollY,
  });

  function goTo(reportId: string | null) {
    scrollAwaited = undefined;
    change({ reportId, view: null, viewedAt: null, problem: null });
    history.replaceState(null, '', pathOf(session, reportId));
  }

  /** Tells whether that leads to another report, whose data is then to be loaded. */
  function bringTo({ path, scroll }: FrameState): boolean {
    const reportId = session.reportId ?? reportAt(session, path);
    const isElsewhere = reportId !== state.reportId;
    if (isElsewhere) goTo(reportId);
    if (path === currentPlace().path) scrollAwaited = scroll;
    return isElsewhere;
  }

  /** Shows what came with the page before it is known whether the host asks for something else. */
  async function preview() {
    if (!firstView) return;
    const drawSeries = await loadCharts();
    if (!isStarted)
      settle({ view: firstView, viewedFilters: state.filters, viewedAt: new Date(), drawSeries });
  }

  /** Begins, at the place the host asks for; a host that answers late only adds its place. */
  function start(place?: FrameState) {
    if (isStarted) {
      if (place) follow(place);
      return;
    }
    isStarted = true;
    if (place) bringTo(place);
    tellState();
    if (state.reportId === null) settle({});
    else void load();
  }

  /** The reader is elsewhere by now: in the previous frame, while this page is on its way. */
  function follow(place: FrameState) {
    if (bringTo(place)) void load();
    else noteDrawn();
  }

  /** The reader opens a report, or (`null`) the overview. */
  function open(reportId: string | null) {
    goTo(reportId);
    post({ type: 'navigated', path: currentPlace().path, reportId });
    tellState();
    void load();
  }

  /** Computes what is shown again, or tries again what failed. */
  const refresh = () => void load();

  function receive(message: HostMessage) {
    switch (message.type) {
      case 'set-filters':
        isAwaited = true;
        failures = 0;
        change({ filters: message.filters });
        if (state.reportId !== null) refresh();
        return;
      case 'set-theme':
        document.documentElement.dataset['theme'] = message.theme ?? 'auto';
        return;
      case 'state':
        follow(message.state);
        return;
      case 'refresh-data':
        refresh();
    }
  }

  /** The reader has scrolled. That an ended session leaves nothing to scroll is no place of theirs. */
  function noteScrolled() {
    if (!state.ended) tellState();
  }

  /** The document now shows the state: scrolls to its place, and tells the host if it waits. */
  function noteDrawn() {
    const { view, reportId, problem, loading } = state;
    const isPortal = session.reportId === null;
    const isDrawn = view ? !problem : isPortal && (reportId === null || problem);
    if (!isStarted || loading || !isDrawn) return;
    if (scrollAwaited !== undefined) window.scrollTo(0, scrollAwaited);
    scrollAwaited = undefined;
    if (!isAwaited) return;
    isAwaited = false;
    wasReady = true;
    post({ type: 'ready', unappliedFilters: view?.unappliedFilters ?? [] });
  }

  return {
    session,
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    preview,
    start,
    open,
    refresh,
    receive,
    noteDrawn,
    noteScrolled,
  };
}

import type { ExportFormat } from '@portal-embed/contract/frame';
import { ServiceError } from 'page-kit/service-error';

import { createMarks } from './create-marks.ts';
import { createPosition } from './create-position.ts';
import type { Formats } from './format/create-formats.ts';
import { findHostCause, type FrameFailure } from './frames/frame-failure.ts';
import { isSameFrame, limitAnswer, readHeld, toLocalClock } from './frames/held.ts';
import type { FrameParts } from './frames/shown-frame.ts';
import { pageIndexOf } from './page-index.ts';
import { pathOf } from './paths.ts';
import { emptyView, isEmptyView } from './report/filters/empty-view.ts';
import { listSelections } from './report/filters/list-selections.ts';
import type { ReaderView, ValuesRequest } from './requests/reader-view.ts';
import type { ReportView, ViewAnswer, ViewRequest, ViewerSession } from './requests/viewer.ts';
import type { PortalApi } from './session/portal-api.ts';
import { readView, writeView } from './view-text.ts';
import type { ViewerParts } from './viewer-parts.ts';
import {
  continueState,
  createState,
  emptyPage,
  initialPosition,
  reportState,
  type ViewerState,
} from './viewer-state.ts';

/** Longest time that the data of an ended session stays while the host opens a new one. */
const endAfterMs = 10_000;

/** State of the page and its transitions, without rendering. */
export const createViewer = (parts: ViewerParts): Viewer => new Viewer(parts);

/** Its public functions are fields, because components pass them on without the object. */
export class Viewer {
  readonly #parts: ViewerParts;
  #session: ViewerSession;
  /** The `id` of answers to the host. */
  #openId: number | undefined;
  #api: PortalApi;
  #state: ViewerState;
  readonly #listeners = new Set<() => void>();
  /** Aborts the request in flight. */
  #current = new AbortController();
  #isStarted = false;
  /** Whether the host waits for `ready`. */
  #isAwaited = true;
  /** The data that came with the page answers the first request. */
  #firstView: ReportView | null;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  #hasCharts = false;
  readonly #marks;
  readonly #position;

  constructor(parts: ViewerParts) {
    this.#parts = parts;
    this.#session = parts.session;
    this.#openId = parts.id;
    this.#api = parts.createApi(parts.session.bearer);
    this.#state = createState(parts.session, parts.formats);
    this.#firstView = parts.session.view;
    this.#position = createPosition(
      (shown) => parts.post({ type: 'view', ...this.#answered(), ...shown }),
      () => writeView(this.#session, this.#state),
    );
    this.#marks = createMarks({
      getMarks: () => this.#state,
      change: (marks) => this.#change(marks),
      setFavorite: (...request) => this.#api.setFavorite(...request),
      fail: (error) => this.fail(error),
    });
  }

  getState = (): ViewerState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Shows the data that came with the page before the host has answered. */
  preview = (): void => {
    if (this.#firstView) this.#showReport(this.#firstView);
  };

  /** Starts at the view that the host names. A late answer only changes the view. */
  start = (view?: string, scroll?: number): void => {
    if (this.#isStarted) {
      if (view === undefined) this.#position.post();
      else this.showView(view, scroll);
      return;
    }
    this.#isStarted = true;
    if (view !== undefined) this.#applyView(view, scroll);
    this.#position.post();
    if (this.#state.reportId === null) this.#finish({});
    else void this.#load();
  };

  /** Shows another view in place. */
  showView = (view: string, scroll?: number): void => {
    if (this.#applyView(view, scroll) && !this.#state.ended) void this.#load();
    else this.handleDrawn();
  };

  /**
   * Continues with another session of the same user. The position of the reader stays if the session can
   * show it. `view` applies if the host has asked for another report.
   */
  continueWith = (next: ViewerSession, id: number | undefined, view?: string): void => {
    clearTimeout(this.#endTimer);
    this.#endTimer = undefined;
    const isOtherRequest = next.reportId !== this.#session.reportId;
    this.#session = next;
    this.#openId = id;
    this.#api = this.#parts.createApi(next.bearer);
    this.#firstView = next.view;
    this.#isStarted = true;
    this.#isAwaited = true;
    const shown = continueState(this.#state, next);
    if (shown.reportId !== this.#state.reportId) this.#position.reset(0);
    this.#change(shown);
    this.#parts.showPath(pathOf(next, this.#state.reportId));
    if (view !== undefined && isOtherRequest) this.#applyView(view);
    this.#position.post();
    if (this.#state.reportId === null) this.#finish({ view: null });
    else void this.#load();
  };

  /** Ends requests and timers. */
  stop = (): void => {
    this.#current.abort();
    this.#marks.stop();
    clearTimeout(this.#endTimer);
    this.#listeners.clear();
  };

  /** Opens a report, or with `null` the overview. */
  open = (reportId: string | null): void => {
    this.#goTo(reportId);
    if (reportId !== null) this.#marks.noteOpened(reportId);
    const path = pathOf(this.#session, reportId);
    this.#parts.post({ type: 'navigated', path, reportId });
    this.#position.post();
    void this.#load();
  };

  toggleFavorite = (reportId: string): Promise<void> => this.#marks.toggleFavorite(reportId);

  /** Shows another page of the open report. */
  selectPage = (pageIndex: number): void => {
    if (pageIndex === this.#state.pageIndex) return;
    this.#position.reset();
    this.#change({ pageIndex, addingTo: null, problem: null, isViewRefused: false });
    this.#position.post();
    void this.#load();
  };

  /** Replaces what the reader has chosen, and computes the report again. */
  changeView = (readerView: ReaderView): void => {
    const selections = listSelections(this.#state.readerView, readerView);
    this.#position.change();
    this.#change({ readerView, problem: null, isViewRefused: false });
    for (const selection of selections) this.#parts.post({ type: 'selected', ...selection });
    this.#position.post();
    void this.#load();
  };

  /** Lets each further mark of a tile be added to the selected ones, without a key; `null` ends it. */
  setAddingTo = (addingTo: string | null): void => this.#change({ addingTo });

  /** Lists values of a field for the filters of the open report. */
  listValues = (
    request: Pick<ValuesRequest, 'field' | 'search'>,
    signal: AbortSignal,
  ): ReturnType<PortalApi['listValues']> => {
    const { reportId, readerView: view, pageIndex: page } = this.#state;
    return this.#api.listValues(reportId!, { ...request, view, page }, signal);
  };

  /** Reloads the report, or retries a failed request. */
  refresh = (): void => void this.#load();

  /** Changes the language of what is shown. */
  setFormats = (formats: Formats): void => this.#change({ formats });

  /** Loads the code of charts. Called after the numbers and tables are drawn. */
  startCharts = (): void => {
    if (this.#hasCharts) return;
    this.#hasCharts = true;
    void this.#parts.loadCharts().then((chartCode) => this.#change({ chartCode }));
  };

  /** Runs after rendering: restores the scroll position and sends `ready` if the host waits. */
  handleDrawn = (): void => {
    const { view, problem, loading, frame } = this.#state;
    const isPortal = this.#session.reportId === null;
    const isWaiting = view?.kind === 'frame' && !frame;
    const isDrawn = view ? !problem && !isWaiting : isPortal;
    if (!this.#isStarted || loading || !isDrawn) return;
    this.#position.restoreScroll();
    if (!this.#isAwaited) return;
    this.#isAwaited = false;
    const unappliedFilters = view?.unappliedFilters ?? [];
    this.#parts.post({ type: 'ready', ...this.#answered(), unappliedFilters });
  };

  /**
   * Sends the scroll position if a host has connected. Without a host, each message would stay in memory.
   * An ended session has no position.
   */
  handleScrolled = (): void => {
    if (this.#parts.hasHost() && !this.#state.ended) this.#position.post();
  };

  /** What the code of frames and prints needs, which loads later. */
  readonly frameParts: FrameParts = {
    change: (part) => this.#change(part),
    fail: (error) => this.fail(error),
    beginRequest: () => this.#beginRequest(),
    showAnswer: (answer) => this.#showAnswer(answer),
    viewReport: (...request) => this.#api.viewReport(...request),
    noteView: () => {
      this.#position.change();
      this.#position.post();
    },
    noteSelected: (selection) => this.#parts.post({ ...selection, type: 'selected' }),
  };

  /** The shown frame cannot show its report. */
  failFrame = (reason: FrameFailure): void => {
    // A confirmation would remove the problem.
    this.#beginRequest();
    this.#change(emptyPage);
    this.fail(new ServiceError('report_failed', { reason }));
  };

  /** Shows an error, and tells the host. */
  fail = (error: unknown): void => {
    const problem = error instanceof ServiceError ? error : new ServiceError('internal_error');
    if (problem.code === 'session_required') this.#endSession();
    else this.#showProblem(problem);
  };

  /** Requests a copy of what is shown. */
  requestCopy = (action: 'export' | 'print', body: object): ReturnType<PortalApi['send']> =>
    this.#api.send(this.#state.reportId!, action, body);

  /**
   * Shows the report as on sheets, or as on the screen.
   *
   * @param printedPages the pages beside the shown one
   */
  setPrinting = (isPrinting: boolean, printedPages: ViewerState['printedPages'] = []): void =>
    this.#change({ isPrinting, printedPages });

  /** Tells the host that the reader has downloaded or printed the report. */
  noteExported = (format: ExportFormat): void =>
    this.#parts.post({ type: 'exported', format, reportId: this.#state.reportId! });

  #change(part: Partial<ViewerState>) {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Changes the state at the end of a request that has not failed. */
  #finish(part: Partial<ViewerState>) {
    this.#change({ loading: false, problem: null, ...part });
  }

  #answered() {
    return this.#openId === undefined ? {} : { id: this.#openId };
  }

  /** Aborts the request in flight: the latest request wins. */
  #beginRequest(): AbortSignal {
    this.#current.abort();
    this.#current = new AbortController();
    return this.#current.signal;
  }

  // The retry of a failed opening is an opening too, so that the access log counts it.
  async #load(intent: ViewRequest['intent'] = this.#state.view ? 'refresh' : 'open') {
    const signal = this.#beginRequest();
    const { reportId, readerView } = this.#state;
    const given = this.#takeFirstView();
    this.#change({ loading: true });
    try {
      if (reportId === null) {
        const { reports, favorites, recent } = await this.#api.listReports(signal);
        if (!signal.aborted) this.#finish({ reports, favorites, recent });
        return;
      }
      const request = this.#createRequest(intent);
      const answer =
        given ?? (await this.#api.viewReport(reportId, request, limitAnswer(request.held, signal)));
      if (signal.aborted) return;
      const isSame = isSameFrame(this.#state.view, answer);
      this.#showAnswer(answer);
      // The frame stays, and its product loads new data.
      if (isSame) this.#change({ viewedAt: new Date() });
    } catch (error) {
      if (signal.aborted) return;
      // The report may have changed since the reader chose.
      const isRefused = error instanceof ServiceError && error.code === 'invalid_request';
      if (isRefused && !isEmptyView(readerView)) this.#refuseChoices();
      else this.fail(error);
    }
  }

  /** Returns the data that came with the page, once, if it is what the reader asks for. */
  #takeFirstView(): ReportView | null {
    const view = this.#firstView;
    this.#firstView = null;
    const { readerView, pageIndex } = this.#state;
    if (!view || !isEmptyView(readerView)) return null;
    return [undefined, pageIndex].includes(pageIndexOf(view)) ? view : null;
  }

  #createRequest(intent: ViewRequest['intent']): ViewRequest {
    const { pageIndex: page, readerView, view } = this.#state;
    const chosen = isEmptyView(readerView) ? {} : { view: readerView };
    return { intent, page, ...chosen, held: readHeld(view) };
  }

  /** Computes the report without the choices that do not fit it. Its opening is already logged. */
  #refuseChoices() {
    this.#change({ readerView: emptyView, isViewRefused: true });
    this.#position.post();
    void this.#load('refresh');
  }

  /** A frame that is kept stays as it is. */
  #showAnswer(answer: ViewAnswer) {
    if (answer.kind === 'kept') this.#finish({});
    else this.#showReport(answer);
  }

  #showReport(answer: ReportView) {
    this.#finish(reportState(this.#state, toLocalClock(answer)));
  }

  #endSession() {
    // The host can open a new session, which then replaces the report without a blank.
    if (this.#parts.hasHost()) this.#endTimer ??= setTimeout(() => this.#removeAll(), endAfterMs);
    else this.#removeAll();
    this.#parts.post({
      type: 'session-required',
      ...this.#answered(),
      reason: 'session-ended',
    });
  }

  /** Removes all data: the session is over, and no other one has come. */
  #removeAll() {
    this.#finish({ ended: true, ...emptyPage });
  }

  #showProblem(problem: ServiceError) {
    const isRevoked = problem.code === 'report_not_accessible';
    const isUnfiltered = problem.code === 'filters_not_applied';
    this.#finish({ problem });
    // A report that may no longer be shown disappears at once; a revoked one also leaves the list.
    if (isRevoked || isUnfiltered || this.#isFrameOver(problem)) this.#change(emptyPage);
    const { reports, reportId, view } = this.#state;
    if (isRevoked) this.#change({ reports: reports.filter(({ id }) => id !== reportId) });
    // In the whole portal the reader can continue, so the host is not notified of a failed report.
    if (view ? !this.#isAwaited : this.#session.reportId === null) return;
    this.#parts.post({
      type: 'failed',
      ...this.#answered(),
      cause: isRevoked || isUnfiltered ? problem.code : findHostCause(problem),
    });
  }

  /** Whether a problem ends the shown frame: a decision at once, a failure with the token. */
  #isFrameOver({ reason }: ServiceError) {
    return reason === 'not_set_up' || (readHeld(this.#state.view)?.secondsLeft ?? 1) <= 0;
  }

  #goTo(reportId: string | null) {
    this.#position.reset();
    this.#change({ ...initialPosition, ...emptyPage, reportId, problem: null });
    this.#parts.showPath(pathOf(this.#session, reportId));
  }

  /** Applies a view of the host. Returns whether its data must be loaded. */
  #applyView(text: string, scroll?: number): boolean {
    const session = this.#session;
    const next = readView(session, text);
    const isChanged =
      next !== undefined && writeView(session, next) !== writeView(session, this.#state);
    if (next && next.reportId !== this.#state.reportId) this.#goTo(next.reportId);
    this.#change({ ...next, ...(next && { frameStart: next.frameView }), isViewRefused: !next });
    this.#position.apply(text, next && scroll);
    return isChanged;
  }
}

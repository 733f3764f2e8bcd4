import type { FrameAdapter, FrameEvents, FrameRequest } from 'platform/page';
import { models, type Report } from 'powerbi-client';

import { configure, placeOf, themes } from './configure.ts';
import { embed } from './embed.ts';
import { Selections } from './selection.ts';
import { readSettings } from './settings.ts';
import { readView, writeView, type View } from './view.ts';

/** The reader may change filters many times in a row. Unit: milliseconds. */
const captureDelayMs = 1_000;

/** Events after which the filters of the reader may be other ones. */
const changes = ['filtersApplied', 'dataSelected', 'bookmarkApplied', 'selectionChanged'] as const;

const adapter: FrameAdapter = {
  show(element, request, events) {
    const report = embed(element, configure(request), request.isIsolated);
    const shown = new ShownReport(report, request, events);
    return {
      update: (next) => shown.update(next),
      refresh: () => shown.refresh(),
      ...(request.canTakeAway && readSettings(request.settings).canExport
        ? { print: () => shown.print() }
        : {}),
    };
  },
};

export default adapter;

class ShownReport {
  readonly #report: Report;
  readonly #events: FrameEvents;
  readonly #selections = new Selections();
  readonly #filtersKey: string;
  #latest: FrameRequest;
  #view: View;
  #capturing: ReturnType<typeof setTimeout> | undefined;

  constructor(report: Report, request: FrameRequest, events: FrameEvents) {
    this.#report = report;
    this.#events = events;
    this.#latest = request;
    this.#filtersKey = readSettings(request.settings).filtersKey;
    this.#view = readView(request.view, this.#filtersKey);
    report.on('rendered', () => events.onReady());
    report.on<{ newPage: { name: string } }>('pageChanged', ({ detail }) => {
      this.#view = { page: detail.newPage.name };
      this.#capture();
    });
    for (const change of changes) report.on(change, () => this.#capture());
    report.on('dataSelected', ({ detail }) => {
      for (const selection of this.#selections.read(detail)) events.onSelected(selection);
    });
    report.on('exportDataCompleted', () => events.onExported());
    report.on<models.IError>('error', ({ detail }) => this.#explain(detail));
  }

  update(next: FrameRequest): void {
    const { token, theme } = this.#latest;
    const isExpired = Date.parse(this.#latest.expiresAt) <= Date.now();
    this.#latest = next;
    if (next.token !== token) void this.#renew(next.token, isExpired);
    if (next.theme !== theme)
      this.#report.applyTheme({ themeJson: themes[next.theme] }).catch(reportError);
  }

  refresh(): void {
    // Power BI refuses one within a few seconds after another.
    this.#report.refresh().catch(reportError);
  }

  print(): void {
    this.#report.print().then(this.#events.onExported, reportError);
  }

  async #renew(token: string, isExpired: boolean): Promise<void> {
    try {
      await this.#report.setAccessToken(token);
      if (!isExpired) return;
      // A report whose token has ended shows an error until it is loaded again, as configured.
      Object.assign(this.#report.config, placeOf(this.#view));
      await this.#report.reload();
    } catch (error) {
      reportError(error);
    }
  }

  #explain(error: models.IError): void {
    if (error.message === 'TokenExpired') {
      this.#events.onExpired();
      return;
    }
    const isFatal = error.level === undefined || error.level >= models.TraceType.Fatal;
    const reason = `${error.message}${error.detailedMessage ? `: ${error.detailedMessage}` : ''}`;
    if (isFatal || error.message.startsWith('Load')) this.#events.onFailed(reason);
    else reportError(new Error(reason));
  }

  /** Keeps page and filters for a frame that is loaded anew. */
  #capture(): void {
    clearTimeout(this.#capturing);
    this.#capturing = setTimeout(() => {
      void this.#report.bookmarksManager.capture().then(
        ({ state }) => this.#note({ ...this.#view, bookmark: state }),
        () => this.#note(this.#view),
      );
    }, captureDelayMs);
  }

  #note(view: View): void {
    this.#view = view;
    this.#events.onView(writeView(view, this.#filtersKey));
  }
}

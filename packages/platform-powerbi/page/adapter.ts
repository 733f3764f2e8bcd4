import type { FrameAdapter, FrameEvents, FrameRequest } from 'platform/page';
import { factories, models, service, type Report } from 'powerbi-client';

import { readSettings } from './settings.ts';
import { readView, writeView, type View } from './view.ts';

/** Narrower pages get the phone layout of a report that has one. Unit: CSS pixels. */
const phoneWidth = 640;

/** The reader may change filters many times in a row. Unit: milliseconds. */
const captureDelayMs = 1_000;

/** Events after which the filters of the reader may be other ones. */
const changes = ['filtersApplied', 'dataSelected', 'bookmarkApplied', 'selectionChanged'] as const;

const adapter: FrameAdapter = {
  show(element, request, events) {
    const client = new service.Service(
      factories.hpmFactory,
      factories.wpmpFactory,
      factories.routerFactory,
    );
    const shown = new ShownReport(
      client.embed(element, configure(request)) as Report,
      request,
      events,
    );
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

function configure({
  url,
  token,
  settings,
  view,
  theme,
  locale,
  canTakeAway,
}: FrameRequest): models.IReportLoadConfiguration & { type: 'report' } {
  const { reportId, filters, canExport } = readSettings(settings);
  const { page, bookmark } = readView(view);
  const mayExport = canTakeAway && canExport;
  return {
    type: 'report',
    id: reportId,
    embedUrl: url,
    accessToken: token,
    tokenType: models.TokenType.Embed,
    permissions: models.Permissions.Read,
    viewMode: models.ViewMode.View,
    // Filters that are set after loading get lost before the report is drawn.
    filters,
    theme: { themeJson: themes[theme] },
    ...(page === undefined ? {} : { pageName: page }),
    ...(bookmark === undefined ? {} : { bookmark: { state: bookmark } }),
    settings: {
      localeSettings: { language: locale, formatLocale: locale },
      // The portal has these commands.
      bars: { actionBar: { visible: false }, statusBar: { visible: false } },
      panes: {
        filters: { visible: true, expanded: false },
        pageNavigation: { visible: true },
      },
      commands: [
        {
          exportData: { displayOption: showIf(mayExport) },
          seeData: { displayOption: showIf(mayExport) },
        },
      ],
      layoutType:
        innerWidth < phoneWidth ? models.LayoutType.MobilePortrait : models.LayoutType.Master,
    },
  };
}

const showIf = (isShown: boolean) =>
  isShown ? models.CommandDisplayOption.Enabled : models.CommandDisplayOption.Hidden;

/** Colours of the frame around the visuals, which authors style themselves. */
const themes = {
  light: { name: 'Light', background: '#ffffff', foreground: '#1f2328' },
  dark: { name: 'Dark', background: '#15171a', foreground: '#e6e6e6' },
};

class ShownReport {
  readonly #report: Report;
  readonly #events: FrameEvents;
  #latest: FrameRequest;
  #view: View;
  #capturing: ReturnType<typeof setTimeout> | undefined;

  constructor(report: Report, request: FrameRequest, events: FrameEvents) {
    this.#report = report;
    this.#events = events;
    this.#latest = request;
    this.#view = readView(request.view);
    report.on('rendered', () => events.onReady());
    report.on<{ newPage: { name: string } }>('pageChanged', ({ detail }) => {
      this.#view = { page: detail.newPage.name };
      this.#capture();
    });
    for (const change of changes) report.on(change, () => this.#capture());
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
      // A report whose token has ended shows an error until it is loaded again.
      if (isExpired) await this.#report.reload();
    } catch (error) {
      reportError(error);
    }
  }

  #explain(error: models.IError): void {
    // The portal renews it.
    if (error.message === 'TokenExpired') return;
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
    this.#events.onView(writeView(view));
  }
}

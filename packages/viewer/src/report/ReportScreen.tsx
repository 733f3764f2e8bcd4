import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';

import type { KnownColors } from '../charts/palette.ts';
import type { Viewer } from '../create-viewer.ts';
import { Problem } from '../Problem.tsx';
import { useViewer } from '../viewer-context.ts';
import { FilterNotes } from './FilterNotes.tsx';
import { FramePlace } from './FramePlace.tsx';
import { MenuBar } from './MenuBar.tsx';
import { NoRows } from './NoRows.tsx';
import { PageTabs, panelId, tabId } from './PageTabs.tsx';
import { ReportPages } from './ReportPages.tsx';
import { RowsBar } from './RowsBar.tsx';
import { Skeleton } from './Skeleton.tsx';

/** Watches for printing. The code for it loads when a report is shown. */
function usePrinting(viewer: Viewer, isShown: boolean) {
  useEffect(() => {
    if (!isShown) return undefined;
    const gone = new AbortController();
    void import('../export/print-report.ts').then(
      ({ watchPrinting }) => gone.signal.aborted || watchPrinting(viewer, gone.signal),
      () => {},
    );
    return () => gone.abort();
  }, [viewer, isShown]);
}

/** A layout effect, because a frame that the host keeps hidden may never paint. */
const useCharts = (viewer: Viewer, isShown: boolean) =>
  useLayoutEffect(() => {
    if (isShown) viewer.startCharts();
  }, [viewer, isShown]);

export function ReportScreen({
  openOverview,
  noRowsAdvice,
}: {
  openOverview: () => void;
  /** What to do about a report without rows. Default: the advice for a reader. */
  noRowsAdvice?: ReactNode;
}) {
  const {
    viewer,
    session,
    reports,
    reportId,
    pageIndex,
    view,
    frame,
    frameStart,
    problem,
    loading,
    display,
    formats,
  } = useViewer();
  const { formatMessage } = formats;
  usePrinting(viewer, view !== null);
  useCharts(viewer, view?.kind === 'tiles');
  // A filter must not change the color of a value that stays.
  const [colors] = useState<KnownColors>(() => new Map());
  const report = view?.report ?? reports.find(({ id }) => id === reportId);
  // With a sidebar, no back button is needed.
  const back = session.reportId === null && display.hideSidebar && (
    <button type="button" className="back" onClick={openOverview}>
      {formatMessage('report.back')}
    </button>
  );
  const isAwaited = view?.kind === 'frame' && !frame;
  const isPaged = view?.kind === 'tiles' && view.pages.length > 1;
  // Until the new page arrives, the data is that of the previous page.
  const page = view?.kind === 'tiles' && view.page.index === pageIndex ? view.page : null;
  const hasNoRows = view?.kind === 'no-rows' || (view?.kind === 'tiles' && view.rowCount === 0);
  const chosenCount = view?.kind === 'tiles' ? view.readerFilters.length : 0;
  return (
    <div className="report" aria-busy={loading || isAwaited}>
      {display.hideMenu ? (
        <>
          <h1 className="visually-hidden">{report?.name ?? formatMessage('report.unavailable')}</h1>
          {back && <div className="report-back">{back}</div>}
        </>
      ) : (
        <MenuBar report={report} back={back} />
      )}
      {view && <RowsBar view={view} />}
      {isPaged && <PageTabs pages={view.pages} index={pageIndex} onSelect={viewer.selectPage} />}
      <div
        className="report-content"
        data-stale={loading && page !== null}
        {...(isPaged && { id: panelId, role: 'tabpanel', 'aria-labelledby': tabId(pageIndex) })}
      >
        {problem && <Problem />}
        {view && <FilterNotes view={view} />}
        {hasNoRows && (
          <NoRows isFiltered={view.filters.length + chosenCount > 0}>{noRowsAdvice}</NoRows>
        )}
        {page && !hasNoRows && <ReportPages page={page} colors={colors} />}
        {view?.kind === 'frame' && (
          <FramePlace
            // Another reader, report, key, language or given view loads the frame anew.
            key={JSON.stringify([view.report.id, view.key, formats.locale, frameStart])}
            view={view}
          />
        )}
        {!page && view?.kind !== 'frame' && !hasNoRows && !problem && <Skeleton />}
      </div>
    </div>
  );
}

import { Problem } from '../Problem.tsx';
import { useViewer } from '../viewer-context.ts';
import { MenuBar } from './MenuBar.tsx';
import { NoRows } from './NoRows.tsx';
import { Skeleton } from './Skeleton.tsx';
import { Tiles } from './Tiles.tsx';
import { UnappliedFilters } from './UnappliedFilters.tsx';

export function ReportPage({ openOverview }: { openOverview: () => void }) {
  const { session, reports, reportId, view, problem, loading, display } = useViewer();
  const report = view?.report ?? reports.find(({ id }) => id === reportId);
  // With a sidebar, no back button is needed.
  const back = session.reportId === null && display.hideSidebar && (
    <button type="button" className="back" onClick={openOverview}>
      All reports
    </button>
  );
  return (
    <div className="report" aria-busy={loading}>
      {display.hideMenu ? (
        <>
          <h1 className="visually-hidden">{report?.name ?? 'Report unavailable'}</h1>
          {back && <div className="report-back">{back}</div>}
        </>
      ) : (
        <MenuBar report={report} back={back} />
      )}
      <div className="report-content" data-stale={loading && view !== null}>
        {problem && <Problem />}
        {view && <UnappliedFilters keys={view.unappliedFilters} />}
        {view?.rowCount === 0 && <NoRows isFiltered={view.filters.length > 0} />}
        {view && view.rowCount > 0 && <Tiles tiles={view.tiles} />}
        {!view && !problem && <Skeleton />}
      </div>
    </div>
  );
}

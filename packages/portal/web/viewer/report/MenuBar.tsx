import type { ReactNode } from 'react';

import type { ReportSummary } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';

interface MenuBarProps {
  report: ReportSummary | undefined;
  back: ReactNode;
}

/** The bar of an open report. */
export function MenuBar({ report, back }: MenuBarProps) {
  const { viewer, viewedAt, loading, formats } = useViewer();
  return (
    <header className="menu">
      <div className="menu-heading">
        {back}
        <h1 className="menu-title">{report?.name ?? 'Report unavailable'}</h1>
        {report?.description && <p className="menu-description">{report.description}</p>}
      </div>
      <div className="menu-actions">
        {viewedAt && (
          <p className="menu-time">
            Updated <time dateTime={viewedAt.toISOString()}>{formats.formatClock(viewedAt)}</time>
          </p>
        )}
        {report && (
          <button type="button" className="button" disabled={loading} onClick={viewer.refresh}>
            Refresh
          </button>
        )}
      </div>
    </header>
  );
}

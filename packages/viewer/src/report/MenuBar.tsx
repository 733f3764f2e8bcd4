import type { ReactNode } from 'react';

import { Message } from '../Message.tsx';
import type { ReportSummary } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

interface MenuBarProps {
  report: ReportSummary | undefined;
  back: ReactNode;
}

/** The bar of an open report. */
export function MenuBar({ report, back }: MenuBarProps) {
  const { viewer, view, frame, viewedAt, viewedBy, loading, formats } = useViewer();
  const { formatMessage } = formats;
  const isFrame = view?.kind === 'frame';
  const isPrintable = isFrame ? view.canTakeAway && frame?.canPrint : viewedBy === null;
  const print = async () => {
    const { printReport } = await import('../export/print-report.ts');
    await printReport(viewer);
  };
  return (
    <header className="menu">
      <div className="menu-heading">
        {back}
        <h1 className="menu-title">{report?.name ?? formatMessage('report.unavailable')}</h1>
        {report?.description && <p className="menu-description">{report.description}</p>}
      </div>
      <div className="menu-actions">
        {viewedAt && (
          <p className="menu-time">
            <Message
              name="report.updated"
              values={{
                time: (
                  <time dateTime={viewedAt.toISOString()}>{formats.formatClock(viewedAt)}</time>
                ),
              }}
            />
          </p>
        )}
        {isFrame && view.canTakeAway && frame?.canExport && <frame.Menu title={view.report.name} />}
        {viewedAt && isPrintable && (
          <button type="button" className="button" disabled={loading} onClick={() => void print()}>
            {formatMessage('report.print')}
          </button>
        )}
        {report && (
          <button type="button" className="button" disabled={loading} onClick={viewer.refresh}>
            {formatMessage('report.refresh')}
          </button>
        )}
      </div>
    </header>
  );
}

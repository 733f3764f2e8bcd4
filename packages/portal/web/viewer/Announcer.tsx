import { useViewer } from './viewer-context.ts';

/** Tells screen readers what the eye sees: that a report is loading, and that it is there. */
export function Announcer() {
  const { loading, reports, reportId, view } = useViewer();
  const name = view?.report.name ?? reports.find(({ id }) => id === reportId)?.name ?? 'Report';
  return (
    <output className="visually-hidden">
      {loading ? 'Loading…' : view ? `${name} is up to date` : ''}
    </output>
  );
}

import { useViewer } from './viewer-context.ts';

/** Announces to screen readers that a report is loading or has loaded. */
export function Announcer() {
  const { loading, reports, reportId, view } = useViewer();
  const name = view?.report.name ?? reports.find(({ id }) => id === reportId)?.name ?? 'Report';
  return (
    <output className="visually-hidden">
      {loading ? 'Loading…' : view ? `${name} is up to date` : ''}
    </output>
  );
}

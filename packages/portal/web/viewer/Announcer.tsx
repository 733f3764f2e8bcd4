import { useViewer } from './viewer-context.ts';

/** Announces to screen readers that a report is loading or has loaded. */
export function Announcer() {
  const { loading, view } = useViewer();
  return (
    <output className="visually-hidden">
      {loading ? 'Loading…' : view ? `${view.report.name} is up to date` : ''}
    </output>
  );
}

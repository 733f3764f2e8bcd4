import { useViewer } from './viewer-context.ts';

/** Replaces the whole page, so that no data stays visible. */
export function SessionEnded() {
  const { organization } = useViewer();
  return (
    <main className="notice">
      <p className="notice-organization">{organization.name}</p>
      <h1>Your session has ended</h1>
      <p>Reload the page that shows your reports to open them again.</p>
    </main>
  );
}

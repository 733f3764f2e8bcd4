import { HomeLink } from './HomeLink.tsx';
import { useViewer } from './viewer-context.ts';

/** Replaces the whole page, so that no data stays visible. */
export function SessionEnded() {
  const { organization, formats } = useViewer();
  return (
    <main className="notice">
      <p className="notice-organization">{organization.name}</p>
      <h1>{formats.formatMessage('session_ended.title')}</h1>
      <p>{formats.formatMessage('session_ended.text')}</p>
      <HomeLink />
    </main>
  );
}

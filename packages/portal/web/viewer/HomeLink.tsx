import { useViewer } from './viewer-context.ts';

/** Leads back to the organization's application. In a frame, the application is around the page. */
export function HomeLink() {
  const { organization, formats } = useViewer();
  if (organization.homeUrl === null) return null;
  return (
    <a className="button home-link" href={organization.homeUrl}>
      {formats.formatMessage('home.back')}
    </a>
  );
}

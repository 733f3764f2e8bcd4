import { useViewer } from './viewer-context.ts';

/** Links to the organization's application. A style hides it in frames. */
export function HomeLink() {
  const { organization, formats } = useViewer();
  if (organization.homeUrl === null) return null;
  return (
    <a className="button home-link" href={organization.homeUrl}>
      {formats.formatMessage('home.back')}
    </a>
  );
}

import { useViewer } from './viewer-context.ts';

/** Links to the organization's application. A style hides it in frames. */
export function HomeLink() {
  const { organization, formats } = useViewer();
  const { homeUrl } = organization;
  return (
    homeUrl && (
      <a className="button home-link" href={homeUrl}>
        {formats.formatMessage('home.back')}
      </a>
    )
  );
}

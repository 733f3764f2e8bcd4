import { useViewer } from './viewer-context.ts';

/** Announces to screen readers that a report is loading or has loaded. */
export function Announcer() {
  const { loading, view, frame, formats } = useViewer();
  const { formatMessage } = formats;
  const text = view ? formatMessage('page.up_to_date', { report: view.report.name }) : '';
  return (
    <output className="visually-hidden">
      {loading || (view?.kind === 'frame' && !frame) ? formatMessage('page.loading') : text}
    </output>
  );
}

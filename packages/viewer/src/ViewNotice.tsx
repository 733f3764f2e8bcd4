import { useViewer } from './viewer-context.ts';

/** Says that the view of a link, or the reader's choices, do not fit the report. */
export function ViewNotice() {
  const { isViewRefused, formats } = useViewer();
  const { formatMessage } = formats;
  return (
    isViewRefused && (
      <p className="hint" role="note">
        <strong>{formatMessage('view.refused')}</strong> {formatMessage('view.refused.reason')}
      </p>
    )
  );
}

import { useViewer } from '../viewer-context.ts';

/** Shown instead of tiles when no row remains. */
export function NoRows({ isFiltered }: { isFiltered: boolean }) {
  const { formatMessage } = useViewer().formats;
  return (
    <div className="empty">
      <h2>{formatMessage('report.no_rows.title')}</h2>
      <p>{formatMessage(isFiltered ? 'report.no_rows.filtered' : 'report.no_rows.unshared')}</p>
    </div>
  );
}

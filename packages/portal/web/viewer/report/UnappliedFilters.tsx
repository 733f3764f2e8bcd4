import { useViewer } from '../viewer-context.ts';

/** Names the filters that were not applied. */
export function UnappliedFilters({ keys }: { keys: string[] }) {
  const { formatMessage, formatEvery } = useViewer().formats;
  if (keys.length === 0) return null;
  return (
    <p className="hint" role="note">
      <strong>{formatMessage('filters.not_applied', { filters: formatEvery(keys) })}</strong>{' '}
      {formatMessage('filters.not_applied.reason')}
    </p>
  );
}

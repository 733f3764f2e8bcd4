import { columnOf } from '../format/filter-names.ts';
import type { ReportView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

/** Names the filters that were not applied, and those that match no row. */
export function FilterNotes({ view }: { view: ReportView }) {
  const { formatMessage, formatEvery } = useViewer().formats;
  const unreadable = (view.kind === 'tiles' ? view.unreadableFilters : []).map(({ key, value }) =>
    formatMessage('filters.unreadable.filter', { column: columnOf(key), value }),
  );
  return (
    <>
      {view.unappliedFilters.length > 0 && (
        <p className="hint" role="note">
          <strong>
            {formatMessage('filters.not_applied', { filters: formatEvery(view.unappliedFilters) })}
          </strong>{' '}
          {formatMessage('filters.not_applied.reason')}
        </p>
      )}
      {unreadable.length > 0 && (
        <p className="hint" role="note">
          <strong>
            {formatMessage('filters.unreadable', { filters: formatEvery(unreadable) })}
          </strong>{' '}
          {formatMessage('filters.unreadable.reason')}
        </p>
      )}
    </>
  );
}

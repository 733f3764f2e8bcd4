import type { ReportView } from '../../../../wire/viewer.ts';
import { useViewer } from '../../viewer-context.ts';
import { FilterButton } from './FilterButton.tsx';
import { emptyView, isEmptyView } from './reader-view.ts';

/** The filters that the report declares. */
export function FilterBar({ view }: { view: ReportView }) {
  const { viewer, readerView, formats } = useViewer();
  const { formatMessage } = formats;
  const isChosen = !isEmptyView(readerView);
  if (view.filterFields.length === 0 && !isChosen) return null;
  return (
    <ul className="filter-bar" aria-label={formatMessage('filters.bar')}>
      {view.filterFields.map((field) => (
        <li key={field.name} className="filter">
          <FilterButton field={field} view={view} />
        </li>
      ))}
      {isChosen && (
        <li>
          <button type="button" className="why" onClick={() => viewer.changeView(emptyView)}>
            {formatMessage('filters.reset')}
          </button>
        </li>
      )}
    </ul>
  );
}

import type { TilesView } from '../../requests/viewer.ts';
import { useViewer } from '../../viewer-context.ts';
import { emptyView, isEmptyView } from './empty-view.ts';
import { FilterButton } from './FilterButton.tsx';
import { moveToFilters } from './move-to-filters.ts';

/** The filters that the report declares, and the selected marks of the page. */
export function FilterBar({ view }: { view: TilesView }) {
  const { viewer, readerView, formats, chartCode } = useViewer();
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
      {chartCode && <chartCode.SelectedMarks view={view} />}
      {isChosen && (
        <li>
          <button
            type="button"
            className="why"
            onClick={(event) => {
              moveToFilters(event);
              viewer.changeView(emptyView);
            }}
          >
            {formatMessage('filters.reset')}
          </button>
        </li>
      )}
    </ul>
  );
}

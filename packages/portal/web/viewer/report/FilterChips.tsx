import type { ReportView } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { columnOf, groupFilters } from './filter-names.ts';

/** The active filters. */
export function FilterChips({ view: { filters, unappliedFilters } }: { view: ReportView }) {
  const { formats } = useViewer();
  const applied = groupFilters(filters.filter(({ key }) => !unappliedFilters.includes(key)));
  if (applied.length === 0) return null;
  return (
    <ul className="chips" aria-label={formats.formatMessage('filters.in_force')}>
      {applied.map(({ key, values }) => (
        <li key={key} className="chip" title={key}>
          <span className="chip-column">{columnOf(key)}</span>{' '}
          {formats.formatEither(values.map(formats.formatFilterValue))}
        </li>
      ))}
    </ul>
  );
}

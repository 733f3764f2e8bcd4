import type { ReportView } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { listFilters } from './filter-names.ts';

/** The active filters. */
export function FilterChips({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const applied = listFilters(view, formats);
  if (applied.length === 0) return null;
  return (
    <ul className="chips" aria-label={formats.formatMessage('filters.in_force')}>
      {applied.map(({ key, column, values }) => (
        <li key={key} className="chip" title={key}>
          <span className="chip-column">{column}</span> {formats.formatEither(values)}
        </li>
      ))}
    </ul>
  );
}

import type { ReportView } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { listHostFilters } from './filter-names.ts';

/** The filters of the host, which the reader cannot change. */
export function FilterChips({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const applied = listHostFilters(view, formats);
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

import { listHostFilters } from '../format/filter-names.ts';
import type { ReportView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

/** The filters of the host, which the reader cannot change. */
export function FilterChips({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const applied = listHostFilters(view, formats);
  if (applied.length === 0) return null;
  return (
    <ul className="chips" aria-label={formats.formatMessage('filters.in_force')}>
      {applied.map(({ key, column, values }) => (
        <li key={key} className="chip" title={key}>
          <svg className="lock" viewBox="0 0 10 12" aria-hidden="true">
            <path d="M2.5 5.5V3.5a2.5 2.5 0 0 1 5 0v2M1 5.5h8v5.5H1z" />
          </svg>
          <span className="chip-column">{column}</span> {formats.formatEither(values)}
          <span className="visually-hidden"> {formats.formatMessage('filters.locked')}</span>
        </li>
      ))}
    </ul>
  );
}

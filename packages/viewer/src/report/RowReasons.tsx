import { describeRoles } from '../format/describe-roles.ts';
import { listFilters } from '../format/list-filters.ts';
import type { ReportView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';

/** Which rows the roles and the filters select, in words, and how many rows are left. */
export function RowReasons({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const { formatMessage } = formats;
  const { unappliedFilters, rowAccess, roles } = view;
  const rowCount = view.kind === 'tiles' ? view.rowCount : 0;
  // The roles of another product have names only.
  const lines =
    view.kind === 'tiles' && view.roleTexts ? describeRoles(view.roleTexts, formats) : roles;
  const applied = listFilters(view, formats);
  return (
    <>
      {view.kind !== 'frame' && (
        <p>{formatMessage(rowCount === 0 ? 'why.none' : 'why.rows', { count: rowCount })}</p>
      )}
      <h3 className="dialog-heading">{formatMessage('why.roles')}</h3>
      {rowAccess === 'everyone' && <p>{formatMessage('why.everyone')}</p>}
      {rowAccess === 'by-role' && roles.length === 0 && <p>{formatMessage('why.no_role')}</p>}
      {rowAccess === 'by-role' && lines.length > 1 && <p>{formatMessage('why.any')}</p>}
      {rowAccess === 'by-role' && lines.length > 0 && (
        <ul className="dialog-list" aria-label={formatMessage('why.roles')}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <h3 className="dialog-heading">{formatMessage('filters.in_force')}</h3>
      {applied.length === 0 ? (
        <p>{formatMessage('why.no_filter')}</p>
      ) : (
        <ul className="dialog-list" aria-label={formatMessage('why.filters')}>
          {applied.map(({ key, column, values }) => (
            <li key={key}>
              {formatMessage('filters.entry', {
                column,
                values: formats.formatEither(values),
              })}
            </li>
          ))}
        </ul>
      )}
      {unappliedFilters.length > 0 && (
        <p>
          {formatMessage('filters.not_applied', {
            filters: formats.formatEvery(unappliedFilters),
          })}
        </p>
      )}
    </>
  );
}

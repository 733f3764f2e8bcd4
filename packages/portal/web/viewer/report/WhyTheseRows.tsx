import { useId, useRef } from 'react';

import type { ReportView } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { listFilters } from './filter-names.ts';

/** Shows which roles and filters select the rows, and how many rows are left. */
export function WhyTheseRows({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const { formatMessage } = formats;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { unappliedFilters, rowCount, rowAccess, roles } = view;
  const applied = listFilters(view, formats);

  const open = (button: HTMLButtonElement) => {
    const { current } = dialog;
    if (!current) return;
    // If the frame is as tall as the report, its middle can be outside the visible part.
    current.style.setProperty('--top', `${Math.max(0, button.getBoundingClientRect().bottom)}px`);
    current.showModal();
  };

  return (
    <>
      <button
        type="button"
        className="why"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        {formatMessage('why.title')}
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby={titleId}>
        <div className="dialog-header">
          <h2 id={titleId} className="dialog-title">
            {formatMessage('why.title')}
          </h2>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {formatMessage('why.close')}
          </button>
        </div>
        <p>{formatMessage('why.rows', { count: rowCount })}</p>
        <h3 className="dialog-heading">{formatMessage('why.roles')}</h3>
        {rowAccess === 'everyone' && <p>{formatMessage('why.everyone')}</p>}
        {rowAccess === 'by-role' && roles.length === 0 && <p>{formatMessage('why.no_role')}</p>}
        {rowAccess === 'by-role' && roles.length > 0 && (
          <ul className="dialog-list" aria-label={formatMessage('why.roles')}>
            {roles.map((role) => (
              <li key={role}>{role}</li>
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
      </dialog>
    </>
  );
}

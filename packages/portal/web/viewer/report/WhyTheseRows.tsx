import { useId, useRef } from 'react';

import type { ReportView } from '../../../wire/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { columnOf, groupFilters } from './filter-names.ts';

/** Shows which roles and filters select the rows, and how many rows are left. */
export function WhyTheseRows({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { filters, unappliedFilters, rowCount, rowAccess, roles } = view;
  const applied = groupFilters(filters.filter(({ key }) => !unappliedFilters.includes(key)));

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
        Why these rows?
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby={titleId}>
        <div className="dialog-header">
          <h2 id={titleId} className="dialog-title">
            Why these rows?
          </h2>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        <p>
          The numbers of this report are computed from{' '}
          <strong>
            {formats.formatCount(rowCount)} {rowCount === 1 ? 'row' : 'rows'}
          </strong>
          .
        </p>
        <h3 className="dialog-heading">Your roles</h3>
        {rowAccess === 'everyone' && <p>Everyone who may open this report sees all of its rows.</p>}
        {rowAccess === 'by-role' && roles.length === 0 && (
          <p>You have no role for this data, so no rows are shared with you.</p>
        )}
        {rowAccess === 'by-role' && roles.length > 0 && (
          <ul className="dialog-list" aria-label="Your roles">
            {roles.map((role) => (
              <li key={role}>{role}</li>
            ))}
          </ul>
        )}
        <h3 className="dialog-heading">Active filters</h3>
        {applied.length === 0 ? (
          <p>None.</p>
        ) : (
          <ul className="dialog-list" aria-label="Filters that remove rows">
            {applied.map(({ key, values }) => (
              <li key={key}>
                {columnOf(key)}: {values.map(formats.formatFilterValue).join(' or ')}
              </li>
            ))}
          </ul>
        )}
        {unappliedFilters.length > 0 && <p>Not applied: {unappliedFilters.join(', ')}.</p>}
      </dialog>
    </>
  );
}

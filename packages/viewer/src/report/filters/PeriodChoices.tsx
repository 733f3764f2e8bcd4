import { useId } from 'react';

import { useViewer } from '../../viewer-context.ts';
import { periods } from './chosen-values.ts';
import type { ChoicesProps } from './FilterChoices.tsx';

/** Relative dates, under the date that they relate to. */
export function PeriodChoices({ view, chosen, choose }: ChoicesProps) {
  const { formatMessage, formatDataTime } = useViewer().formats;
  const name = useId();
  return (
    <>
      {view.dataAsOf !== undefined && (
        <p className="filter-count">
          {formatMessage('report.data_as_of', {
            time: formatDataTime(view.dataAsOf, view.timeZone),
          })}
        </p>
      )}
      <ul className="filter-list">
        {periods.map((period) => (
          <li key={period}>
            <label className="filter-choice">
              <input
                type="radio"
                name={name}
                checked={chosen[0] === period}
                onChange={() => choose([period])}
              />
              {formatMessage(`period.${period}`)}
            </label>
          </li>
        ))}
      </ul>
    </>
  );
}

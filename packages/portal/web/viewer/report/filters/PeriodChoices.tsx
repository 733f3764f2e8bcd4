import { useId } from 'react';

import { useViewer } from '../../viewer-context.ts';
import { periods } from './chosen-values.ts';
import type { ChoicesProps } from './FilterChoices.tsx';

/** Relative dates. */
export function PeriodChoices({ chosen, choose }: ChoicesProps) {
  const { formatMessage } = useViewer().formats;
  const name = useId();
  return (
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
  );
}

import { useId, useState, type FormEvent } from 'react';

import { useViewer } from '../../viewer-context.ts';
import type { ChoicesProps } from './FilterChoices.tsx';

/** The two ends of a range. An empty end sets no limit. */
export function RangeChoices({
  view,
  field,
  chosen,
  choose,
  close,
  kind,
}: ChoicesProps & { kind: 'date' | 'number' }) {
  const { formatMessage } = useViewer().formats;
  const errorId = useId();
  const [isReversed, setIsReversed] = useState(false);
  // A relative date is shown as its range.
  const [applied = null] =
    chosen.length === 0
      ? []
      : (view.readerFilters.find((filter) => filter.field === field.name && !filter.tile)?.values ??
        []);
  const [from = '', to = from] = (applied ?? '')
    .split('..')
    .map((end) => (kind === 'date' ? end.slice(0, 10) : end));
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll('input')];
    const [first, last] = inputs as [HTMLInputElement, HTMLInputElement];
    // Comparing with an empty end, which is NaN, is false.
    if (first.valueAsNumber > last.valueAsNumber) {
      setIsReversed(true);
      first.focus();
      return;
    }
    choose(first.value || last.value ? [`${first.value}..${last.value}`] : []);
    // On a phone, the choices cover the numbers.
    close();
  };
  return (
    <form
      key={applied}
      className="filter-range"
      onSubmit={apply}
      onChange={() => setIsReversed(false)}
    >
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          {formatMessage(`filters.range.${name}`)}
          <input
            type={kind}
            name={name}
            step={kind === 'number' ? 'any' : undefined}
            defaultValue={name === 'from' ? from : to}
            {...(isReversed && { 'aria-invalid': true, 'aria-describedby': errorId })}
          />
        </label>
      ))}
      {isReversed && (
        <p id={errorId} role="alert">
          {formatMessage('filters.range.reversed', {
            from: formatMessage('filters.range.from'),
            to: formatMessage('filters.range.to'),
          })}
        </p>
      )}
      <button type="submit" className="button">
        {formatMessage('filters.apply')}
      </button>
    </form>
  );
}

import { useId, useState, type FormEvent } from 'react';

import { useViewer } from '../../viewer-context.ts';
import type { ChoicesProps } from './FilterChoices.tsx';

interface RangeChoicesProps extends ChoicesProps {
  kind: 'date' | 'number';
}

/** The two ends of a range. An empty end sets no limit. */
export function RangeChoices(props: RangeChoicesProps) {
  const { view, field, chosen } = props;
  // A relative date is shown as its range.
  const [applied = null] =
    chosen.length === 0
      ? []
      : (view.readerFilters.find((filter) => filter.field === field.name && !filter.tile)?.values ??
        []);
  return <RangeForm key={applied} {...props} applied={applied ?? ''} />;
}

function RangeForm({
  kind,
  applied,
  choose,
  close,
}: Pick<RangeChoicesProps, 'kind' | 'choose' | 'close'> & { applied: string }) {
  const { formatMessage } = useViewer().formats;
  const errorId = useId();
  const [isReversed, setIsReversed] = useState(false);
  const [from = '', to = from] = applied
    .split('..')
    .map((end) => (kind === 'date' ? end.slice(0, 10) : end));
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const inputs = [...event.currentTarget.querySelectorAll('input')];
    const [first, last] = inputs as [HTMLInputElement, HTMLInputElement];
    // The number of an empty end is NaN, so the comparison is false.
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
    <form className="filter-range" onSubmit={apply} onChange={() => setIsReversed(false)}>
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          {formatMessage(`filters.range.${name}`)}
          <input
            type={kind}
            name={name}
            step={kind === 'number' ? 'any' : undefined}
            // Later years are no dates for the service.
            max={kind === 'date' ? '9999-12-31' : undefined}
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

import type { FormEvent } from 'react';

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
    const data = new FormData(event.currentTarget);
    const [first, last] = ['from', 'to'].map((name) => data.get(name) as string);
    choose(first || last ? [`${first}..${last}`] : []);
    // On a phone, the choices cover the numbers.
    close();
  };
  return (
    <form key={applied} className="filter-range" onSubmit={apply}>
      {(['from', 'to'] as const).map((name) => (
        <label key={name}>
          {formatMessage(`filters.range.${name}`)}
          <input
            type={kind}
            name={name}
            step={kind === 'number' ? 'any' : undefined}
            defaultValue={name === 'from' ? from : to}
          />
        </label>
      ))}
      <button type="submit" className="button">
        {formatMessage('filters.apply')}
      </button>
    </form>
  );
}

import type { Key } from '@portal-embed/report-model';
import { ServiceError } from 'page-kit/service-error';
import { useEffect, useState } from 'react';

import { describeProblem } from '../../describe-problem.ts';
import type { FieldValues } from '../../requests/reader-view.ts';
import { useViewer } from '../../viewer-context.ts';
import { formatChosen } from './chosen-values.ts';
import type { ChoicesProps } from './FilterChoices.tsx';

// Defaults of a report contain booleans as text.
const isSame = (one: Key) => (other: Key) =>
  one === null || other === null ? one === other : String(one) === String(other);

/** The values of a field with the number of their rows. The reader can choose several. */
export function ValueChoices({ field, view, chosen, choose }: ChoicesProps) {
  const { viewer, formats } = useViewer();
  const { formatMessage } = formats;
  const [search, setSearch] = useState('');
  const [found, setFound] = useState<FieldValues | ServiceError>();

  useEffect(() => {
    const gone = new AbortController();
    viewer
      .listValues({ field: field.name, search }, gone.signal)
      .then(setFound, (error: unknown) => {
        if (!gone.signal.aborted)
          setFound(error instanceof ServiceError ? error : new ServiceError('internal_error'));
      });
    return () => gone.abort();
  }, [viewer, field.name, search]);

  if (found instanceof ServiceError) return <p>{describeProblem(found, formats).title}</p>;
  const values = found?.values ?? [];
  const isListed = (key: Key) => values.some((value) => isSame(key)(value.key));
  const shown: { key: Key; count?: number }[] = [
    ...(search === '' ? chosen.filter((key) => !isListed(key)).map((key) => ({ key })) : []),
    ...values,
  ];
  const rest = (found?.valueCount ?? 0) - values.length;
  const toggle = (key: Key) => {
    const others = chosen.filter((value) => !isSame(key)(value));
    choose(others.length < chosen.length ? others : [...chosen, key]);
  };
  return (
    <>
      {field.type === 'text' && (
        <input
          type="search"
          className="filter-search"
          aria-label={formatMessage('filters.search', { field: field.name })}
          placeholder={formatMessage('filters.search', { field: field.name })}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul className="filter-list" aria-busy={found === undefined}>
        {shown.map(({ key, count }) => (
          <li key={JSON.stringify(key)}>
            <label className="filter-choice">
              <input
                type="checkbox"
                checked={chosen.some(isSame(key))}
                onChange={() => toggle(key)}
              />
              <span className="filter-value">{formatChosen(field, key, view, formats)}</span>
              {count !== undefined && (
                <span className="filter-count">{formats.formatCount(count)}</span>
              )}
            </label>
          </li>
        ))}
      </ul>
      {found && shown.length === 0 && <p>{formatMessage('filters.none')}</p>}
      {rest > 0 && <p className="tile-notes">{formatMessage('filters.more', { count: rest })}</p>}
    </>
  );
}

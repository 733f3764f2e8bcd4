import type { PageData } from '../src/page-data.ts';
import { filterTable, flags, regions, toOpenAddress, type Choice } from './choice.ts';

interface ControlsProps {
  reports: PageData['reports'];
  choice: Choice;
  onChange: (choice: Choice) => void;
  onRefresh: () => unknown;
}

export function Controls({ reports, choice, onChange, onRefresh }: ControlsProps) {
  const views = [...reports, { id: null, name: 'Whole portal' }];
  return (
    <aside className="controls" aria-label="What to embed">
      <fieldset>
        <legend>Show</legend>
        {views.map(({ id, name }) => (
          <label key={name}>
            <input
              type="radio"
              name="view"
              checked={choice.reportId === id}
              onChange={() => onChange({ ...choice, reportId: id })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Display</legend>
        {flags.map((flag) => (
          <label key={flag}>
            <input
              type="checkbox"
              checked={choice.flags[flag]}
              onChange={(event) =>
                onChange({ ...choice, flags: { ...choice.flags, [flag]: event.target.checked } })
              }
            />
            {flag}
          </label>
        ))}
      </fieldset>
      {reports.some(({ name }) => name.startsWith(filterTable)) && (
        <label className="region">
          Region filter
          <select
            value={choice.region}
            onChange={(event) => onChange({ ...choice, region: event.target.value })}
          >
            <option value="">All regions</option>
            {regions.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </select>
        </label>
      )}
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
      <a href={toOpenAddress(choice)} target="_blank" rel="noreferrer">
        Open in a new tab
      </a>
    </aside>
  );
}

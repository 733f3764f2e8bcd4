import type { Key } from '@portal-embed/report-model';

import type { FilterField } from '../../requests/reader-view.ts';
import type { TilesView } from '../../requests/viewer.ts';
import { useViewer } from '../../viewer-context.ts';
import { setFilter } from './change-view.ts';
import { PeriodChoices } from './PeriodChoices.tsx';
import { RangeChoices } from './RangeChoices.tsx';
import { ValueChoices } from './ValueChoices.tsx';

export interface ChoicesProps {
  field: FilterField;
  view: TilesView;
  chosen: readonly Key[];
  choose: (values: readonly Key[]) => void;
  /** Closes the choices. */
  close: () => void;
}

/** What a reader can choose of one field. */
export function FilterChoices(props: Omit<ChoicesProps, 'choose'>) {
  const { viewer, readerView, formats } = useViewer();
  const { field, chosen, close } = props;
  const choose = (values: readonly Key[]) =>
    viewer.changeView(setFilter(readerView, field, values));
  return (
    <>
      <Choices {...props} choose={choose} />
      <div className="filter-actions">
        <button
          type="button"
          className="button"
          disabled={chosen.length === 0}
          onClick={() => choose([])}
        >
          {formats.formatMessage('filters.all')}
        </button>
        <button type="button" className="button" onClick={close}>
          {formats.formatMessage('why.close')}
        </button>
      </div>
    </>
  );
}

function Choices(props: ChoicesProps) {
  const { type } = props.field;
  if (type === 'text' || type === 'boolean') return <ValueChoices {...props} />;
  if (type !== 'date' && type !== 'datetime') return <RangeChoices {...props} kind="number" />;
  return (
    <>
      <PeriodChoices {...props} />
      <RangeChoices {...props} kind="date" />
    </>
  );
}

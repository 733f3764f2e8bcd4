import { Message } from '../Message.tsx';
import type { ReportView } from '../requests/viewer.ts';
import { useViewer } from '../viewer-context.ts';
import { FilterChips } from './FilterChips.tsx';
import { FilterBar } from './filters/FilterBar.tsx';
import { WhyTheseRows } from './WhyTheseRows.tsx';

/** The filters of the reader and of the host, and what the numbers are computed from. No display flag hides it. */
export function RowsBar({ view }: { view: ReportView }) {
  const { formats } = useViewer();
  return (
    <div className="rows-bar">
      {view.kind === 'tiles' && <FilterBar view={view} />}
      <FilterChips view={view} />
      <div className="rows-facts">
        {view.kind === 'tiles' && view.dataAsOf !== undefined && (
          <p className="data-time">
            <Message
              name="report.data_as_of"
              values={{
                time: (
                  <time dateTime={view.dataAsOf}>
                    {formats.formatDataTime(view.dataAsOf, view.timeZone)}
                  </time>
                ),
              }}
            />
          </p>
        )}
        <WhyTheseRows view={view} />
      </div>
    </div>
  );
}

import { useViewer } from '../../../viewer-context.ts';
import type { Marks } from './use-marks.ts';

/** Where the reader is in the levels of a chart, and which mark is selected. */
export function MarkBar({ tile, marks, selected, clear, goTo, drillDown }: Marks) {
  const { formats } = useViewer();
  const { formatMessage } = formats;
  const [first] = selected ?? [];
  const { path = [], next } = tile.drill ?? {};
  if (path.length === 0 && first === undefined) return null;
  const { dimension } = tile.dimensions[0]!;
  return (
    <div className="mark-bar">
      {path.length > 0 && (
        <nav aria-label={formatMessage('mark.path', { title: tile.title })}>
          <ol className="mark-path">
            <li>
              <button type="button" className="why" onClick={() => goTo(0)}>
                {formatMessage('mark.top')}
              </button>
            </li>
            {path.map(({ dimension: level, key }, index) => (
              <li key={level.name}>
                <button
                  type="button"
                  className="why"
                  disabled={index === path.length - 1}
                  onClick={() => goTo(index + 1)}
                >
                  {formats.formatterOf(level, [key])(key)}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {first !== undefined && (
        <>
          <span>
            {formatMessage('mark.selected', {
              value:
                marks.find(({ key, isOther }) => !isOther && key === first)?.name ??
                formats.formatterOf(dimension, [first])(first),
            })}
          </span>
          {next && (
            <button type="button" className="why" onClick={drillDown}>
              {formatMessage('mark.drill', { level: next.name })}
            </button>
          )}
          <button type="button" className="why" onClick={clear}>
            {formatMessage('mark.clear')}
          </button>
        </>
      )}
    </div>
  );
}

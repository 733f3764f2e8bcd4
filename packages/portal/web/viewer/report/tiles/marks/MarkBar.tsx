import type { Dimension, Drill } from '@portal-embed/report-model';
import type { MouseEvent } from 'react';

import { useViewer } from '../../../viewer-context.ts';
import { drillTo } from '../../filters/change-view.ts';
import { useSelection } from './use-selection.ts';

interface MarkBarProps {
  tile: { id: string; title: string; drill?: Drill | undefined };
  /** The dimensions of the marks. */
  dimensions: readonly Dimension[];
}

/** The pressed button disappears, so the focus of the keyboard moves to the marks. */
const moveToMarks = ({ detail, currentTarget }: MouseEvent) =>
  detail === 0 &&
  currentTarget
    .closest('section')!
    .querySelector<HTMLElement>('.mark-keys input, .mark[tabindex="0"]')
    ?.focus();

/** Where the reader is in the levels of a chart, and which mark is selected. */
export function MarkBar({ tile, dimensions }: MarkBarProps) {
  const { viewer, readerView, formats } = useViewer();
  const { formatMessage } = formats;
  const { selected, clear } = useSelection(tile.id);
  const { path = [], next } = tile.drill ?? {};
  if (path.length + selected.length === 0) return null;
  const keys = path.map(({ key }) => key);
  const goTo = (to: typeof keys) => viewer.changeView(drillTo(readerView, tile.id, to));
  const names = selected.map(({ field, grain, values: [key = null] }) => {
    const dimension = dimensions.find((one) => one.field === field && one.grain === grain);
    return dimension ? formats.formatterOf(dimension, [key])(key) : String(key);
  });
  return (
    <div className="mark-bar">
      {path.length > 0 && (
        <nav aria-label={formatMessage('mark.path', { title: tile.title })}>
          <ol className="mark-path">
            <li>
              <button
                type="button"
                className="why"
                onClick={(event) => {
                  moveToMarks(event);
                  goTo([]);
                }}
              >
                {formatMessage('mark.top')}
              </button>
            </li>
            {path.map(({ dimension: level, key }, index) => (
              <li key={level.name}>
                <button
                  type="button"
                  className="why"
                  disabled={index === path.length - 1}
                  onClick={(event) => {
                    moveToMarks(event);
                    goTo(keys.slice(0, index + 1));
                  }}
                >
                  {formats.formatterOf(level, [key])(key)}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {selected.length > 0 && (
        <>
          <span>{formatMessage('mark.selected', { value: formats.formatEvery(names) })}</span>
          {next && (
            <button
              type="button"
              className="why"
              onClick={(event) => {
                moveToMarks(event);
                goTo([...keys, selected[0]!.values[0] ?? null]);
              }}
            >
              {formatMessage('mark.drill', { level: formats.nameDimension(next) })}
            </button>
          )}
          <button
            type="button"
            className="why"
            onClick={(event) => {
              moveToMarks(event);
              clear();
            }}
          >
            {formatMessage('mark.clear')}
          </button>
        </>
      )}
    </div>
  );
}

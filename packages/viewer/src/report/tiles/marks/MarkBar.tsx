import type { Dimension, Drill } from '@portal-embed/report-model';
import type { MouseEvent } from 'react';

import { useViewer } from '../../../viewer-context.ts';
import { drillTo } from '../../filters/change-view.ts';
import { moveToMarks } from './move-to-marks.ts';
import { useSelection } from './use-selection.ts';

interface MarkBarProps {
  tile: { id: string; drill?: Drill | undefined };
  /** The dimensions of the marks. */
  dimensions: readonly Dimension[];
  /** The selected mark with its values. Default: its names. */
  text?: string | undefined;
}

/** Without the focus, the slider above takes no room, and the button would move away from the pointer. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Names the selected mark, with buttons to drill down and to clear the selection. */
export function MarkBar({ tile, dimensions, text }: MarkBarProps) {
  const { viewer, readerView, formats } = useViewer();
  const { formatMessage } = formats;
  const { selected, clear } = useSelection(tile.id);
  const { path = [], next } = tile.drill ?? {};
  const names = selected.map(({ field, grain, values: [key = null] }) => {
    const dimension = dimensions.find((one) => one.field === field && one.grain === grain);
    return dimension ? formats.formatterOf(dimension, [key])(key) : String(key);
  });
  return (
    <div className="mark-bar">
      {/* Always present, so that screen readers announce its text. */}
      <output>
        {selected.length > 0 &&
          formatMessage('mark.selected', { value: text ?? formats.formatEvery(names) })}
      </output>
      {selected.length > 0 && (
        <>
          {next && (
            <button
              type="button"
              className="why"
              onMouseDown={keepFocus}
              onClick={(event) => {
                moveToMarks(event);
                const keys = [...path.map(({ key }) => key), selected[0]!.values[0] ?? null];
                viewer.changeView(drillTo(readerView, tile.id, keys));
              }}
            >
              {formatMessage('mark.drill', { level: formats.nameDimension(next) })}
            </button>
          )}
          <button
            type="button"
            className="why"
            onMouseDown={keepFocus}
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

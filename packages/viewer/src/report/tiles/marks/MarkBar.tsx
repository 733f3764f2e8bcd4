import type { Dimension, Drill } from '@portal-embed/report-model';
import type { MouseEvent } from 'react';

import { useViewer } from '../../../viewer-context.ts';
import { drillTo, setAllPages } from '../../filters/drill.ts';
import { moveToMarks } from './move-to-marks.ts';
import { useSelection } from './use-selection.ts';

interface MarkBarProps {
  tile: { id: string; drill?: Drill | undefined };
  /** The dimensions of the marks. */
  dimensions: readonly Dimension[];
  /** The selected mark with its values. Default: the names of the marks. */
  text?: string | undefined;
}

/** Without the focus, the slider above takes no room, and the button would move away from the pointer. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Names the selected marks, with buttons to drill down, to add marks, to filter all pages and to clear the selection. */
export function MarkBar({ tile, dimensions, text }: MarkBarProps) {
  const { viewer, view, readerView, formats } = useViewer();
  const { formatMessage } = formats;
  const { marks, isOnAllPages, isAdding, clear } = useSelection(tile.id);
  const { path = [], next } = tile.drill ?? {};
  const names = marks.map((mark) =>
    mark.map(({ field, grain, values: [key = null] }) => {
      const dimension = dimensions.find((one) => one.field === field && one.grain === grain);
      return dimension ? formats.formatterOf(dimension, [key])(key) : String(key);
    }),
  );
  const isOneEach = names.every(({ length }) => length === 1);
  const selected =
    isOneEach || names.length === 1
      ? formats.formatEvery(names.flat())
      : names.map((each) => each.join(', ')).join('; ');
  const [only] = marks.length === 1 ? marks[0]! : [];
  const hasPages = view?.kind === 'tiles' && view.pages.length > 1;
  return (
    <div className="mark-bar">
      {/* Always present, so that screen readers announce its text. */}
      <output>
        {marks.length > 0 && formatMessage('mark.selected', { value: text ?? selected })}
      </output>
      {marks.length > 0 && (
        <>
          {next && only && (
            <button
              type="button"
              className="why"
              onMouseDown={keepFocus}
              onClick={(event) => {
                moveToMarks(event);
                const keys = [...path.map(({ key }) => key), only.values[0] ?? null];
                viewer.changeView(drillTo(readerView, tile.id, keys));
              }}
            >
              {formatMessage('mark.drill', { level: formats.nameDimension(next) })}
            </button>
          )}
          <button
            type="button"
            className="why"
            aria-pressed={isAdding}
            onMouseDown={keepFocus}
            onClick={() => viewer.setAddingTo(isAdding ? null : tile.id)}
          >
            {formatMessage('mark.several')}
          </button>
          {hasPages && (
            <button
              type="button"
              className="why"
              aria-pressed={isOnAllPages}
              onMouseDown={keepFocus}
              onClick={() => viewer.changeView(setAllPages(readerView, tile.id, !isOnAllPages))}
            >
              {formatMessage('mark.all_pages')}
            </button>
          )}
          <button
            type="button"
            className="why"
            onMouseDown={keepFocus}
            onClick={(event) => {
              moveToMarks(event);
              viewer.setAddingTo(null);
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

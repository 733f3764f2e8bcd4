import { useDroppable } from '@dnd-kit/core';

import { useFormats } from '../../messages/messages.ts';
import type { TileTarget } from '../document/steps.ts';

/** A place between rows or tiles. A tile can be dropped on it, and its button adds one. */
export function Slot({
  target,
  isLast = false,
  onAdd,
}: {
  target: TileTarget;
  /** Whether it is after the last row or tile. */
  isLast?: boolean;
  onAdd: (to: TileTarget) => void;
}) {
  const { formatMessage } = useFormats();
  const { page, row, index } = target;
  const { setNodeRef, isOver } = useDroppable({
    id: [page, row, index].join('/'),
    data: { target },
  });
  const isRow = index === undefined;
  return (
    <div
      ref={setNodeRef}
      className={isRow ? 'slot slot-row' : 'slot slot-tile'}
      data-over={isOver}
      data-last={isLast}
    >
      <button
        type="button"
        className="slot-add"
        // The keyboard has the buttons of the selected tile.
        tabIndex={isRow ? 0 : -1}
        aria-label={describe()}
        onClick={() => onAdd(target)}
      >
        +
      </button>
    </div>
  );

  function describe(): string {
    if (!isRow) return formatMessage('editor.tile.add_at', { row: row + 1, position: index + 1 });
    return isLast
      ? formatMessage('editor.row.add_last')
      : formatMessage('editor.row.add', { row: row + 1 });
  }
}

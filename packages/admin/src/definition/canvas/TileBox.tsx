import { useDraggable } from '@dnd-kit/core';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

import { useFormats } from '../../messages/messages.ts';
import type { Tile } from '../document/read-document.ts';
import type { TilePlace, TileTarget } from '../document/steps.ts';
import { labelType } from '../form/labels.ts';
import { useTileNames } from '../form/name-tile.ts';
import { TypeIcon } from '../types/TypeIcon.tsx';
import { useSideStep } from './side-step.ts';
import { Slot } from './Slot.tsx';

/** A tile on the canvas: a button that selects it, its drag handle and its edge. */
export function TileBox({
  tile,
  place,
  count,
  width,
  isSelected,
  onSelect,
  onKey,
  onResize,
  onAdd,
}: {
  tile: Tile;
  place: TilePlace;
  /** Tiles of the row. */
  count: number;
  width: number;
  isSelected: boolean;
  onSelect: () => void;
  onKey: (event: KeyboardEvent<HTMLButtonElement>) => void;
  onResize: (width: number) => void;
  onAdd: (to: TileTarget) => void;
}) {
  const { formatMessage } = useFormats();
  const { page, row, index } = place;
  const { setNodeRef, listeners, transform, isDragging } = useDraggable({
    id: `tile/${page}/${row}/${index}`,
    data: { place },
  });
  const [dragged, setDragged] = useState<number>();
  const type = labelType(tile['type'], formatMessage);
  const name = useTileNames()(tile);
  const columns = dragged ?? width;
  return (
    <div className="canvas-cell" style={{ gridColumn: `span ${columns}` }}>
      <Slot target={place} onAdd={onAdd} />
      <button
        ref={setNodeRef}
        type="button"
        className="canvas-tile"
        data-place={`${row}.${index}`}
        data-dragging={isDragging}
        aria-pressed={isSelected}
        aria-label={formatMessage('editor.tile', {
          name,
          type,
          row: row + 1,
          position: index + 1,
          count,
          width: columns,
        })}
        title={name}
        style={transform ? { transform: `translate(${transform.x}px, ${transform.y}px)` } : {}}
        {...listeners}
        onKeyDown={onKey}
        onClick={onSelect}
      >
        <TypeIcon type={tile['type']} />
        <span className="canvas-name">{name}</span>
        <span className="canvas-width">{columns}</span>
      </button>
      <ResizeHandle width={width} onDrag={setDragged} onResize={onResize} />
      {index === count - 1 && <Slot target={{ ...place, index: count }} isLast onAdd={onAdd} />}
    </div>
  );
}

/** The edge at the end of a tile. The keyboard has Shift with the arrow keys, and the field of the form. */
function ResizeHandle({
  width,
  onDrag,
  onResize,
}: {
  width: number;
  /** Called with the width at the pointer, and with `undefined` at the end. */
  onDrag: (width: number | undefined) => void;
  onResize: (width: number) => void;
}) {
  const sideStep = useSideStep();
  const start = useRef<{ x: number; column: number; width: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => {
    const { x, column, width: from } = start.current!;
    const moved = Math.round(((clientX - x) * sideStep('right')) / column);
    return Math.min(Math.max(from + moved, 1), 12);
  };
  return (
    <span
      className="canvas-edge"
      aria-hidden
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const row = event.currentTarget.closest('.canvas-row')!;
        start.current = { x: event.clientX, column: row.clientWidth / 12, width };
      }}
      onPointerMove={(event) => {
        if (start.current) onDrag(widthAt(event));
      }}
      onPointerUp={(event) => {
        if (!start.current) return;
        const next = widthAt(event);
        start.current = undefined;
        onDrag(undefined);
        if (next !== width) onResize(next);
      }}
      onPointerCancel={() => {
        start.current = undefined;
        onDrag(undefined);
      }}
    />
  );
}

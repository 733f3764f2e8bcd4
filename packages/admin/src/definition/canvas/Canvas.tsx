import './canvas.css';
import {
  DndContext,
  PointerSensor,
  useSensor,
  useSensors,
  type Active,
  type CollisionDetection,
  type Over,
} from '@dnd-kit/core';
import { Text } from '@mantine/core';
import { Fragment, useEffect, useId, useRef, type KeyboardEvent } from 'react';

import { useFormats } from '../../messages/messages.ts';
import type { Page } from '../document/read-document.ts';
import type { TilePlace, TileTarget } from '../document/steps.ts';
import { listWidths } from '../document/widths.ts';
import { useTileNames } from '../form/name-tile.ts';
import { useSideStep, type SideStep } from './side-step.ts';
import { Slot } from './Slot.tsx';
import type { TileActions } from './tile-actions.ts';
import { TileBox } from './TileBox.tsx';

/** The rows of a page as boxes, of which each takes the columns of its tile. */
export function Canvas({
  page,
  pageIndex,
  selected,
  actions,
  onSelect,
  onAdd,
}: {
  page: Page;
  pageIndex: number;
  selected: TilePlace | undefined;
  actions: TileActions;
  onSelect: (place: TilePlace) => void;
  onAdd: (to: TileTarget) => void;
}) {
  const { formatMessage } = useFormats();
  const helpId = useId();
  const list = useRef<HTMLDivElement>(null);
  // A click must not become a drag.
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }));
  const nameTile = useTileNames();
  const sideStep = useSideStep();
  const nameOf = (active: Active) => {
    const { row, index } = placeOf(active);
    const tile = page.rows[row]?.tiles[index];
    return tile ? nameTile(tile) : '';
  };
  const describeOver = (name: string, target: TileTarget | undefined) => {
    if (!target) return undefined;
    const row = target.row + 1;
    return target.index === undefined
      ? formatMessage('editor.drag.over_row', { name, row })
      : formatMessage('editor.drag.over', { name, row, position: target.index + 1 });
  };
  const announcements = {
    onDragStart: ({ active }: { active: Active }) =>
      formatMessage('editor.drag.start', { name: nameOf(active) }),
    onDragOver: ({ active, over }: { active: Active; over: Over | null }) =>
      describeOver(nameOf(active), targetOf(over)),
    // The step announces what it did.
    onDragEnd: () => undefined,
    onDragCancel: () => formatMessage('editor.drag.cancel'),
  };
  // Keys act on the focused tile, so the focus follows the one that a key or a drag moves or selects.
  const followsSelection = useRef(false);
  useEffect(() => {
    if (!followsSelection.current || !selected) return;
    followsSelection.current = false;
    const selector = `[data-place="${selected.row}.${selected.index}"]`;
    list.current!.querySelector<HTMLElement>(selector)?.focus();
  }, [selected]);
  const handleKey = (event: KeyboardEvent, at: TilePlace) => {
    followsSelection.current = true;
    if (actions.handleKey(event, at)) return;
    followsSelection.current = false;
    const next = findNeighbor(page, at, event.key, sideStep);
    if (!next) return;
    event.preventDefault();
    followsSelection.current = true;
    onSelect(next);
  };
  /** Selects a tile after the pointer has moved or resized it. */
  const selectDragged = (place: TilePlace) => {
    followsSelection.current = true;
    onSelect(place);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={findNearest}
      accessibility={{ announcements, screenReaderInstructions: { draggable: '' } }}
      onDragEnd={({ active, over }) => {
        const place = placeOf(active);
        const target = targetOf(over);
        selectDragged(place);
        if (target) actions.moveTo(place, target);
      }}
      onDragCancel={({ active }) => selectDragged(placeOf(active))}
    >
      <section aria-label={formatMessage('editor.layout')} aria-describedby={helpId}>
        <div ref={list} className="canvas">
          {page.rows.map(({ tiles }, row) => {
            const widths = listWidths(tiles);
            return (
              // Rows have no names of their own.
              // oxlint-disable-next-line react/no-array-index-key
              <Fragment key={row}>
                <Slot target={{ page: pageIndex, row }} onAdd={onAdd} />
                <fieldset
                  className="canvas-row"
                  aria-label={formatMessage('editor.row', { row: row + 1 })}
                >
                  {tiles.map((tile, index) => {
                    const place = { page: pageIndex, row, index };
                    return (
                      <TileBox
                        // oxlint-disable-next-line react/no-array-index-key
                        key={index}
                        tile={tile}
                        place={place}
                        count={tiles.length}
                        width={widths[index]!}
                        isSelected={selected?.row === row && selected.index === index}
                        onSelect={() => onSelect(place)}
                        onKey={(event) => handleKey(event, place)}
                        onResize={(width) => {
                          selectDragged(place);
                          actions.resize(place, width);
                        }}
                        onAdd={onAdd}
                      />
                    );
                  })}
                </fieldset>
              </Fragment>
            );
          })}
          <Slot target={{ page: pageIndex, row: page.rows.length }} isLast onAdd={onAdd} />
        </div>
        <Text id={helpId} size="xs" c="dimmed" mt={4}>
          {formatMessage('editor.layout.help')}
        </Text>
      </section>
    </DndContext>
  );
}

const placeOf = (active: Active) => active.data.current!['place'] as TilePlace;

const targetOf = (over: Over | null) => over?.data.current?.['target'] as TileTarget | undefined;

/** The tile that an arrow key leads to. */
function findNeighbor(
  { rows }: Page,
  at: TilePlace,
  key: string,
  sideStep: SideStep,
): TilePlace | undefined {
  const { row, index } = at;
  const inRow = (next: number): TilePlace | undefined => {
    const count = rows[next]?.tiles.length;
    return count === undefined
      ? undefined
      : { ...at, row: next, index: Math.min(index, count - 1) };
  };
  const inLine = (step: 1 | -1): TilePlace | undefined => {
    const next = index + step;
    if (rows[row]!.tiles[next]) return { ...at, index: next };
    const tiles = rows[row + step]?.tiles;
    return tiles && { ...at, row: row + step, index: step > 0 ? 0 : tiles.length - 1 };
  };
  switch (key) {
    case 'ArrowLeft':
      return inLine(sideStep('left'));
    case 'ArrowRight':
      return inLine(sideStep('right'));
    case 'ArrowUp':
      return inRow(row - 1);
    case 'ArrowDown':
      return inRow(row + 1);
    default:
      return undefined;
  }
}

/** The slot that is nearest to the pointer. Slots are thin, so few pointers are within one. */
const findNearest: CollisionDetection = ({
  droppableContainers,
  droppableRects,
  pointerCoordinates,
}) => {
  if (!pointerCoordinates) return [];
  const { x, y } = pointerCoordinates;
  return droppableContainers
    .flatMap((container) => {
      const rect = droppableRects.get(container.id);
      if (!rect) return [];
      const dx = Math.max(rect.left - x, 0, x - rect.right);
      const dy = Math.max(rect.top - y, 0, y - rect.bottom);
      return [
        { id: container.id, data: { droppableContainer: container, value: dx * dx + dy * dy } },
      ];
    })
    .toSorted((a, b) => a.data.value - b.data.value);
};

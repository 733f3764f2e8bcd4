import { ActionIcon, Group } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { Outline } from '../document/read-document.ts';
import type { TilePlace, TileTarget } from '../document/steps.ts';
import { listWidths, maxWidth } from '../document/widths.ts';
import { findTarget, type TileActions } from './tile-actions.ts';

const arrows = { left: '←', right: '→', up: '↑', down: '↓' } as const;

const button = (label: string, sign: string, isPossible: boolean, onClick: () => void) => (
  <ActionIcon
    key={label}
    variant="default"
    size="md"
    aria-label={label}
    title={label}
    // The focus must stay where it is, so that the button can be pressed again.
    {...(!isPossible && { 'data-disabled': true })}
    aria-disabled={!isPossible}
    onClick={() => isPossible && onClick()}
  >
    {sign}
  </ActionIcon>
);

/** The actions of the selected tile as buttons. */
export function TileToolbar({
  outline,
  at,
  actions,
  onAdd,
}: {
  outline: Outline;
  at: TilePlace;
  actions: TileActions;
  onAdd: (to: TileTarget) => void;
}) {
  const { formatMessage } = useFormats();
  const { tiles } = outline.pages[at.page]!.rows[at.row]!;
  const width = listWidths(tiles)[at.index]!;
  const directions = ['left', 'right', 'up', 'down'] as const;
  return (
    <Group gap={4} role="toolbar" aria-label={formatMessage('editor.tile.actions')}>
      {directions.map((direction) =>
        button(
          formatMessage(`editor.tile.${direction}`),
          arrows[direction],
          findTarget(outline, at, direction) !== undefined,
          () => actions.move(at, direction),
        ),
      )}
      {button(formatMessage('editor.tile.own_row'), '⏎', tiles.length > 1, () =>
        actions.moveToOwnRow(at),
      )}
      {button(formatMessage('editor.tile.narrower'), '⇤', width > 1, () =>
        actions.resizeBy(at, -1),
      )}
      {button(formatMessage('editor.tile.wider'), '⇥', width < maxWidth(tiles), () =>
        actions.resizeBy(at, 1),
      )}
      {button(formatMessage('editor.tile.add_after'), '+', true, () =>
        onAdd({ ...at, index: at.index + 1 }),
      )}
      {button(formatMessage('editor.tile.duplicate'), '⧉', true, () => actions.duplicate(at))}
      {button(formatMessage('editor.tile.remove'), '✕', true, () => actions.remove(at))}
    </Group>
  );
}

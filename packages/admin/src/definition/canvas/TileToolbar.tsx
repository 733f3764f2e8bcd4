import { ActionIcon, Group, Menu } from '@mantine/core';

import { useFormats } from '../../messages/messages.ts';
import type { Outline } from '../document/read-document.ts';
import type { TilePlace, TileTarget } from '../document/steps.ts';
import { listWidths, maxWidth } from '../document/widths.ts';
import { useSideStep } from './side-step.ts';
import { Sign, SignButton } from './Sign.tsx';
import { findTarget, type TileActions } from './tile-actions.ts';

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
  const sideStep = useSideStep();
  const { tiles } = outline.pages[at.page]!.rows[at.row]!;
  const width = listWidths(tiles)[at.index]!;
  return (
    <Group gap={4} role="toolbar" aria-label={formatMessage('editor.tile.actions')}>
      {(['left', 'right', 'up', 'down'] as const).map((direction) => (
        <SignButton
          key={direction}
          label={formatMessage(`editor.tile.${direction}`)}
          sign={direction}
          onClick={
            findTarget(outline, at, direction, sideStep) && (() => actions.move(at, direction))
          }
        />
      ))}
      <SignButton
        label={formatMessage('editor.tile.own_row')}
        sign="row"
        onClick={tiles.length > 1 ? () => actions.moveToOwnRow(at) : undefined}
      />
      <PageMenu outline={outline} at={at} actions={actions} />
      <SignButton
        label={formatMessage('editor.tile.narrower')}
        sign="narrower"
        onClick={width > 1 ? () => actions.resizeBy(at, -1) : undefined}
      />
      <SignButton
        label={formatMessage('editor.tile.wider')}
        sign="wider"
        onClick={width < maxWidth(tiles) ? () => actions.resizeBy(at, 1) : undefined}
      />
      <SignButton
        label={formatMessage('editor.tile.add_after')}
        sign="add"
        onClick={() => onAdd({ ...at, index: at.index + 1 })}
      />
      <SignButton
        label={formatMessage('editor.tile.duplicate')}
        sign="duplicate"
        onClick={() => actions.duplicate(at)}
      />
      <SignButton
        label={formatMessage('editor.tile.remove')}
        sign="remove"
        onClick={() => actions.remove(at)}
      />
    </Group>
  );
}

/** Moves a tile to the end of another page. */
function PageMenu({
  outline: { pages },
  at,
  actions,
}: {
  outline: Outline;
  at: TilePlace;
  actions: TileActions;
}) {
  const { formatMessage } = useFormats();
  const label = formatMessage('editor.tile.other_page');
  if (pages.length === 1) return <SignButton label={label} sign="page" />;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={label} title={label}>
          <Sign name="page" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map(
          ({ name, rows }, page) =>
            page !== at.page && (
              <Menu.Item
                // A page has no key but its position.
                // oxlint-disable-next-line react/no-array-index-key
                key={page}
                onClick={() => actions.moveTo(at, { page, row: rows.length })}
              >
                {name || page + 1}
              </Menu.Item>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

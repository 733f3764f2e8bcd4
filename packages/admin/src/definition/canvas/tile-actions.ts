import type { KeyboardEvent } from 'react';

import type { Outline } from '../document/read-document.ts';
import { findTile, type TilePlace, type TileTarget } from '../document/steps.ts';
import { listWidths } from '../document/widths.ts';
import type { Perform } from '../visual/use-steps.ts';
import type { SideStep } from './side-step.ts';

export type TileDirection = 'left' | 'right' | 'up' | 'down';

/** What the buttons, the keyboard and the pointer do with a tile. */
export interface TileActions {
  move: (at: TilePlace, direction: TileDirection) => void;
  moveTo: (at: TilePlace, to: TileTarget) => void;
  moveToOwnRow: (at: TilePlace) => void;
  resize: (at: TilePlace, width: number) => void;
  resizeBy: (at: TilePlace, columns: number) => void;
  duplicate: (at: TilePlace) => void;
  remove: (at: TilePlace) => void;
  /** Handles the keys of a focused tile. @returns whether the key has a meaning */
  handleKey: (event: KeyboardEvent, at: TilePlace) => boolean;
}

const directions: Readonly<Record<string, TileDirection>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Where a step in a direction leads. `undefined` at the end. */
export function findTarget(
  { pages }: Outline,
  at: TilePlace,
  direction: TileDirection,
  sideStep: SideStep,
): TileTarget | undefined {
  const { rows } = pages[at.page]!;
  const { row, index } = at;
  const own = rows[row]!.tiles.length;
  if (direction === 'left' || direction === 'right') {
    if (sideStep(direction) < 0) return index > 0 ? { ...at, index: index - 1 } : undefined;
    return index + 1 < own ? { ...at, index: index + 2 } : undefined;
  }
  const next = direction === 'up' ? row - 1 : row + 1;
  const tiles = rows[next]?.tiles;
  if (tiles) return { ...at, row: next, index: Math.min(index, tiles.length) };
  if (own === 1) return undefined;
  return { page: at.page, row: direction === 'up' ? 0 : rows.length };
}

export function createTileActions(
  outline: Outline,
  perform: Perform,
  sideStep: SideStep,
): TileActions {
  const resize = (at: TilePlace, width: number) => perform({ kind: 'resize-tile', at, width });
  const actions: TileActions = {
    move: (at, direction) => {
      const to = findTarget(outline, at, direction, sideStep);
      if (to) perform({ kind: 'move-tile', at, to });
    },
    moveTo: (at, to) => {
      const isSame =
        to.page === at.page &&
        to.row === at.row &&
        (to.index === at.index || to.index === at.index + 1);
      if (!isSame) perform({ kind: 'move-tile', at, to });
    },
    moveToOwnRow: (at) =>
      perform({ kind: 'move-tile', at, to: { page: at.page, row: at.row + 1 } }),
    resize,
    resizeBy: (at, columns) => {
      const { tiles } = outline.pages[at.page]!.rows[at.row]!;
      resize(at, listWidths(tiles)[at.index]! + columns);
    },
    duplicate: (at) => perform({ kind: 'duplicate-tile', at }),
    remove: (at) => perform({ kind: 'remove-tile', at }),
    handleKey: (event, at) => {
      if (!findTile(outline, at)) return false;
      const act = findAction(event, at);
      if (!act) return false;
      event.preventDefault();
      act();
      return true;
    },
  };
  const findAction = (event: KeyboardEvent, at: TilePlace): (() => void) | undefined => {
    const direction = directions[event.key];
    if (event.key === 'Delete') return () => actions.remove(at);
    if (!direction || event.ctrlKey || event.metaKey) return undefined;
    if (event.altKey) return () => actions.move(at, direction);
    if (!event.shiftKey || direction === 'up' || direction === 'down') return undefined;
    return () => actions.resizeBy(at, sideStep(direction));
  };
  return actions;
}

import { useMemo } from 'react';

import type { Viewer } from '../../../create-viewer.ts';
import type { ReaderFilter, ReaderView } from '../../../requests/reader-view.ts';
import { useViewer } from '../../../viewer-context.ts';
import { selectMarks } from '../../filters/change-view.ts';
import { fits, isSameMark, readSelection, type SelectedMark } from '../../filters/selection.ts';

export type Selection = ReturnType<typeof createSelection>;

/** More marks would make the reader's view longer than the service accepts. */
const maxMarks = 30;

/** How a mark is shown, and what a click on it does. */
export interface MarkState {
  isPressed: boolean;
  /** Whether other marks are selected. */
  isFaint: boolean;
  /** The message that says what a click does. */
  action: 'mark.filters' | 'mark.clears' | 'mark.removes';
  /**
   * Selects only this mark, or clears the selection if only this mark is selected. To add, it adds the mark
   * to the selection or removes it.
   */
  toggle: (toAdd: boolean) => void;
}

/** Whether a click or a key press adds to the selection. */
export const isToAdd = (event: {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}): boolean => event.ctrlKey || event.metaKey || event.shiftKey;

/** A click that adds with the Shift key selects no text. */
export const keepText = (event: { shiftKey: boolean; preventDefault: () => void }): void => {
  if (event.shiftKey) event.preventDefault();
};

/** What the reader has selected in a tile, which filters the other tiles. */
export function useSelection(tile: string) {
  const { viewer, readerView, addingTo } = useViewer();
  const isAdding = addingTo === tile;
  return useMemo(
    () => createSelection(viewer, readerView, tile, isAdding),
    [viewer, readerView, tile, isAdding],
  );
}

function createSelection(viewer: Viewer, readerView: ReaderView, tile: string, isAdding: boolean) {
  const { marks, isOnAllPages } = readSelection(readerView, tile);
  const select = (chosen: readonly SelectedMark[]) =>
    viewer.changeView(selectMarks(readerView, tile, chosen.slice(-maxMarks)));
  /** Whether a mark matches the selection. Only dimensions that both have are compared. */
  const includes = (filters: readonly ReaderFilter[]) =>
    filters.length > 0 && (marks.length === 0 || marks.some((mark) => fits(mark, filters)));
  return {
    marks,
    isOnAllPages,
    isAdding,
    isActive: marks.length > 0,
    includes,
    clear: () => select([]),
    /** Returns `undefined` if the mark cannot be selected. */
    find(filters: readonly ReaderFilter[]): MarkState | undefined {
      if (filters.length === 0) return undefined;
      const others = marks.filter((mark) => !isSameMark(mark, filters));
      const isPressed = others.length < marks.length;
      const isOnly = isPressed && others.length === 0;
      return {
        isPressed,
        isFaint: !includes(filters),
        action: isOnly ? 'mark.clears' : isPressed && isAdding ? 'mark.removes' : 'mark.filters',
        toggle: (toAdd) => {
          if (toAdd || isAdding) select(isPressed ? others : [...marks, filters]);
          else select(isOnly ? [] : [filters]);
        },
      };
    },
  };
}

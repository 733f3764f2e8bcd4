import { useMemo } from 'react';

import type { Viewer } from '../../../create-viewer.ts';
import type { ReaderFilter, ReaderView } from '../../../requests/reader-view.ts';
import { useViewer } from '../../../viewer-context.ts';
import { selectMarks } from '../../filters/change-view.ts';

export type Selection = ReturnType<typeof createSelection>;

/** How a mark is shown, and what a click on it does. */
export interface MarkState {
  isPressed: boolean;
  /** Whether another mark is selected. */
  isFaint: boolean;
  /** Selects only this mark, or clears the selection if this mark is selected. */
  toggle: () => void;
}

/** What the reader has selected in a tile, which filters the other tiles of the page. */
export function useSelection(tile: string) {
  const { viewer, readerView } = useViewer();
  return useMemo(() => createSelection(viewer, readerView, tile), [viewer, readerView, tile]);
}

function createSelection(viewer: Viewer, readerView: ReaderView, tile: string) {
  const selected = readerView.filters.filter((filter) => filter.tile === tile);
  const select = (filters: readonly ReaderFilter[]) =>
    viewer.changeView(selectMarks(readerView, tile, filters));
  /** Whether a mark matches the selection. Only dimensions that both have are compared. */
  const includes = (filters: readonly ReaderFilter[]) =>
    filters.length > 0 &&
    selected.every(({ field, grain, values }) => {
      const own = filters.find((filter) => filter.field === field && filter.grain === grain);
      return !own || own.values[0] === values[0];
    });
  return {
    selected,
    isActive: selected.length > 0,
    includes,
    clear: () => select([]),
    /** Returns `undefined` if the mark cannot be selected. */
    find(filters: readonly ReaderFilter[]): MarkState | undefined {
      if (filters.length === 0) return undefined;
      const isIncluded = includes(filters);
      const isPressed = isIncluded && filters.length === selected.length;
      return {
        isPressed,
        isFaint: !isIncluded,
        toggle: () => select(isPressed ? [] : filters),
      };
    },
  };
}

import { useCallback, useState } from 'react';

import type { Emphasis } from '../../../charts/emphasize.ts';
import type { Mark } from './filter-by.ts';
import { useSelection } from './use-selection.ts';

/**
 * The marks of a drawing: which are selected, and which one the arrow keys are at.
 *
 * @param describe describes a mark with its values
 */
export function useMarks(
  { id, title }: { id: string; title: string },
  marks: readonly Mark[],
  describe: (index: number) => string,
) {
  const selection = useSelection(id);
  const [active, setActive] = useState<number | null>(null);
  const emphasisOf = useCallback(
    (index: number): Emphasis => ({
      isSelected: selection.isActive ? selection.includes(marks[index]!.filters) : undefined,
      isActive: index === active,
    }),
    [selection, marks, active],
  );
  const selected = marks.findIndex(({ filters }) => selection.find(filters)?.isPressed);
  return {
    title,
    describe,
    /** The selected mark with its values. */
    selectedText: selected < 0 ? undefined : describe(selected),
    marks,
    canSelect: marks.some(({ filters }) => filters.length > 0),
    toggle: (index: number) => selection.find(marks[index]?.filters ?? [])?.toggle(),
    active,
    onActive: setActive,
    emphasisOf,
  };
}

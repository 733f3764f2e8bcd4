import { useCallback, useState } from 'react';

import type { Emphasis } from '../../../charts/emphasize.ts';
import type { Mark } from '../../../charts/filter-by.ts';
import { useSelection } from './use-selection.ts';

/**
 * The state of a drawing's marks: the selected ones, and the one that the arrow keys have reached.
 *
 * @param describe returns the name and the values of a mark
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
    toggle: (index: number) => selection.find(marks[index]!.filters)?.toggle(),
    active,
    onActive: setActive,
    emphasisOf,
  };
}

import { useCallback, useState } from 'react';

import type { Emphasis } from '../../../charts/emphasize.ts';
import type { Mark } from '../../../charts/filter-by.ts';
import { useViewer } from '../../../viewer-context.ts';
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
  const { formatMessage } = useViewer().formats;
  const actionOf = useCallback(
    (index: number) => {
      const { filters, onUnfold } = marks[index]!;
      if (onUnfold) return formatMessage('mark.unfolds');
      const found = selection.find(filters);
      return found && formatMessage(found.action);
    },
    [selection, marks, formatMessage],
  );
  const [active, setActive] = useState<number | null>(null);
  const emphasisOf = useCallback(
    (index: number): Emphasis => ({
      isSelected: selection.isActive ? selection.includes(marks[index]!.filters) : undefined,
      isActive: index === active,
      action: actionOf(index),
    }),
    [selection, marks, active, actionOf],
  );
  const selected =
    selection.marks.length === 1
      ? marks.findIndex(({ filters }) => selection.find(filters)?.isPressed)
      : -1;
  return {
    title,
    describe,
    /** The selected mark with its values, if it is the only one. */
    selectedText: selected < 0 ? undefined : describe(selected),
    marks,
    canSelect: marks.some(({ filters }) => filters.length > 0),
    toggle: (index: number, toAdd: boolean) => {
      const { filters, onUnfold } = marks[index]!;
      if (onUnfold) onUnfold();
      else selection.find(filters)?.toggle(toAdd);
    },
    actionOf,
    active,
    onActive: setActive,
    emphasisOf,
  };
}

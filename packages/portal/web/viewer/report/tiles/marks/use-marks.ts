import type { ChartTile, Dimension, Key } from '@portal-embed/report-model';

import { useViewer } from '../../../viewer-context.ts';
import { drillTo, selectMarks } from '../../filters/change-view.ts';

/** One mark that a reader can select: a place of a chart, or a part of a donut. */
export interface Mark {
  key: Key;
  name: string;
  /** The groups beyond the limit, which cannot be selected. */
  isOther: boolean;
}

export type Marks = ReturnType<typeof useMarks>;

/** The marks of a chart that filter the other tiles of the page. */
export function useMarks(tile: ChartTile, { field, grain }: Dimension, marks: readonly Mark[]) {
  const { viewer, readerView } = useViewer();
  const { id, drill } = tile;
  const selected = readerView.filters.find((filter) => filter.tile === id)?.values;
  const path = drill?.path.map(({ key }) => key) ?? [];
  const drillDown = (keys: readonly Key[]) => viewer.changeView(drillTo(readerView, id, keys));
  return {
    tile,
    marks,
    canSelect: field !== undefined,
    /** Undefined if no mark is selected. */
    selected,
    isSelected: ({ key, isOther }: Mark) => !isOther && (selected?.includes(key) ?? false),
    clear: () => viewer.changeView(selectMarks(readerView, id, [])),
    /** Selects a mark alone. A second time, no mark is selected. */
    toggle: (index: number) => {
      const mark = marks[index];
      if (!mark || mark.isOther || field === undefined) return;
      const filter = { field, values: [mark.key], ...(grain && { grain }) };
      const isOff = selected?.includes(mark.key);
      viewer.changeView(selectMarks(readerView, id, isOff ? [] : [filter]));
    },
    /** Goes back to a level; 0 is that of the report. */
    goTo: (level: number) => drillDown(path.slice(0, level)),
    drillDown: () => drillDown([...path, selected?.[0] ?? null]),
  };
}

import type { ReaderFilter, ReaderView } from '../../requests/reader-view.ts';

/** The filters of one selected mark, one for each of its dimensions, each with one value. */
export type SelectedMark = readonly ReaderFilter[];

export interface ReadSelection {
  /** The marks of the levels above, to which the reader has drilled down. */
  path: readonly ReaderFilter[];
  marks: readonly SelectedMark[];
  isOnAllPages: boolean;
}

/** What the reader has selected in a tile. */
export function readSelection({ filters, drills }: ReaderView, tile: string): ReadSelection {
  const own = filters.filter((filter) => filter.tile === tile);
  const keys = drills.find((drill) => drill.tile === tile)?.path ?? [];
  const isKept = keys.every((key, index) => own[index]?.values[0] === key);
  const depth = isKept ? keys.length : 0;
  return {
    path: own.slice(0, depth),
    marks: readMarks(own.slice(depth)),
    isOnAllPages: own.some(({ allPages }) => allPages),
  };
}

function readMarks(filters: readonly ReaderFilter[]): SelectedMark[] {
  const [first] = filters;
  if (!first) return [];
  if (first.mark !== undefined)
    return [...new Set(filters.map(({ mark }) => mark))].map((mark) =>
      filters.filter((filter) => filter.mark === mark),
    );
  return filters.length > 1
    ? [filters]
    : first.values.map((value) => [{ ...first, values: [value] }]);
}

/** Marks of one field are one filter with several values. Others keep the filters of each mark together. */
export function writeMarks(marks: readonly SelectedMark[]): ReaderFilter[] {
  const plain = marks.map((mark) => mark.map(({ mark: _mark, ...filter }) => filter));
  const [first] = plain;
  if (!first || plain.length === 1) return first ?? [];
  const isOneField = plain.every((mark) => mark.length === 1 && isSameField(mark[0]!, first[0]!));
  if (isOneField) return [{ ...first[0]!, values: plain.flatMap(([filter]) => filter!.values) }];
  return plain.flatMap((mark, index) => mark.map((filter) => ({ ...filter, mark: index })));
}

export const isSameField = (
  one: Pick<ReaderFilter, 'field' | 'grain'>,
  other: Pick<ReaderFilter, 'field' | 'grain'>,
): boolean => one.field === other.field && one.grain === other.grain;

/** Whether a mark has the values of another one in all dimensions that both have. */
export const fits = (mark: SelectedMark, other: SelectedMark): boolean =>
  mark.every((filter) => {
    const same = other.find((each) => isSameField(each, filter));
    return !same || same.values[0] === filter.values[0];
  });

export const isSameMark = (mark: SelectedMark, other: SelectedMark): boolean =>
  mark.length === other.length && fits(mark, other);

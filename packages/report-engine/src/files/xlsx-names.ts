import { readColumnName, type Cell } from './xlsx-sheet.ts';

/** A range of cells, from 1. */
export interface Range {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Reads a range such as `A1:C2`; `undefined` for another text. */
export function readRange(text: string): Range | undefined {
  const [, left, top, right, bottom] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(text) ?? [];
  if (left === undefined || right === undefined) return undefined;
  const [first, last] = [readColumnName(left), readColumnName(right)];
  return { left: first, top: Number(top), right: last, bottom: Number(bottom) };
}

/** A row of names. */
interface Head {
  number: number;
  cells: ReadonlyMap<number, Pick<Cell, 'kind' | 'text'>>;
}

/** The merged ranges over several columns that begin in a row, by the column in which they begin. */
const listGroups = ({ number }: Head, merged: readonly Range[]): Map<number, Range> =>
  new Map(
    merged
      .filter(({ top, left, right }) => top === number && right > left)
      .map((range) => [range.left, range]),
  );

/**
 * Whether the row below the names has names, too: those of the columns below merged cells, and only these.
 */
export function hasSecondHead(
  head: Head,
  second: Head | undefined,
  merged: readonly Range[],
): boolean {
  const groups = [...listGroups(head, merged).values()];
  if (!second || groups.length === 0 || second.number !== head.number + 1) return false;
  // A single cell over the whole table is a title.
  if (head.cells.size === 1) return false;
  const inGroups = new Set<number>();
  for (const { left, right, top, bottom } of groups) {
    if (bottom > top) return false;
    for (let column = left; column <= right; column += 1) inGroups.add(column);
  }
  return (
    [...second.cells].every(([column, { kind }]) => kind === 'text' && inGroups.has(column)) &&
    second.cells.size === inGroups.size
  );
}

const writeName = (cell: { text: string } | undefined) =>
  (cell?.text ?? '').replace(/\s+/g, ' ').trim();

/**
 * The names of columns, as the sheet writes them; empty for those without one. Columns below a merged cell
 * have its name with their position, or with the name in the second row.
 */
export function readHead(
  columns: readonly number[],
  head: Head,
  second: Head | undefined,
  merged: readonly Range[],
): string[] {
  const groups = [...listGroups(head, merged).values()];
  return columns.map((column) => {
    const group = groups.find(({ left, right }) => left <= column && column <= right);
    if (!group) return writeName(head.cells.get(column));
    const title = writeName(head.cells.get(group.left));
    if (second) return `${title} ${writeName(second.cells.get(column))}`.trim();
    const position = column - group.left + 1;
    return title === '' || position === 1 ? title : `${title} ${position}`;
  });
}

import { areNotes } from './csv-footer.ts';
import { findShape } from './csv-shape.ts';
import type { TextRow } from './csv-text.ts';
import { hasSecondHead, type Range } from './xlsx-names.ts';
import type { KeptRow } from './xlsx-rows.ts';

const delimiter = '\t';

/** Notes below a table are few. */
const maxNotes = 10;

/** Rows above them that show how wide the table is. */
const regularRows = 20;

const quote = (text: string) => `"${text.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"`;

/** The texts of a row in some columns. */
export const readTexts = ({ cells }: KeptRow, columns: readonly number[]): string[] =>
  columns.map((column) => (cells.get(column)?.text ?? '').trim());

/**
 * Finds titles above the names of the columns: how many rows of the sheet are above them.
 *
 * @param first the first rows of the sheet
 * @param columns those with values, from left to right
 */
export function findSkip(
  first: readonly KeptRow[],
  columns: readonly number[],
  merged: readonly Range[],
): number {
  const isTitle = ({ number, cells }: KeptRow) =>
    cells.size === 1 &&
    merged.some(({ left, right, top }) => top === number && right > left && cells.has(left));
  const lines: string[] = [];
  for (const row of first) {
    while (lines.length < row.number - 1) lines.push('');
    const texts = readTexts(row, columns);
    lines.push((isTitle(row) ? texts.filter(Boolean) : texts).map(quote).join(delimiter));
  }
  const text = `${lines.join('\n')}\n`;
  const skip = findShape({ text, isUtf8: true, isCut: false }, delimiter)?.skip ?? 0;
  const at = first.findIndex(({ number }) => number === skip + 1);
  // Empty rows need not be counted.
  if (at < 1) return 0;
  const [above, names] = [first[at - 1], first[at]];
  // The names can have two rows.
  return above && hasSecondHead(above, names, merged) ? above.number - 1 : skip;
}

/** Finds notes below the table, which have a single cell or two. */
export function findNotes(last: readonly KeptRow[], columns: readonly number[]): TextRow[] {
  const rows = last.toReversed();
  const isWide = ({ cells }: KeptRow) => cells.size > (columns.length > 3 ? 2 : 1);
  const count = rows.findIndex(isWide);
  if (count < 1 || count > maxNotes) return [];
  const isRegular = rows.slice(count, count + regularRows).every(isWide);
  const notes = rows.slice(0, count).map((row) => ({
    cells: readTexts(row, columns).filter(Boolean),
    line: row.number,
  }));
  return isRegular && areNotes(notes) ? notes.toReversed() : [];
}

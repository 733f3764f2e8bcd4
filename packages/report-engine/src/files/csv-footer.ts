import type { CsvOptions, Encoding } from '@portal-embed/report-model';

import { isBlank, parseRows, readTail, type TextRow } from './csv-text.ts';
import { hasLabel, isLabel } from './footer-labels.ts';
import { Problem } from './problem.ts';

/** The rows at the end of a CSV file that may be no data. */
export interface Tail {
  /** Rows that have another number of cells than the table, so that they cannot be data. */
  ragged: TextRow[];
  /** The rows above them, the last one first. */
  rows: TextRow[];
  /** Whether rows of empty cells end the file. */
  hasBlank: boolean;
}

/** Number of rows that can stand below a table. */
const maxRagged = 10;

/** Number of rows above them that show that the others are regular. */
const regularRows = 20;

/**
 * Reads the last rows of a file.
 *
 * @param width cells of most rows
 */
export async function readLastRows(
  file: string,
  delimiter: string,
  width: number,
  encoding: Encoding = 'utf-8',
): Promise<Tail> {
  const { text, isAll } = await readTail(file, encoding);
  const all = [...parseRows(text, delimiter)];
  // The names of the columns are no data.
  const rows = isAll ? all.slice(all.findIndex(({ cells }) => cells.length === width) + 1) : all;
  const filled = rows.filter((row) => !isBlank(row)).toReversed();
  const count = filled.findIndex(({ cells }) => cells.length === width);
  const last = rows.at(-1);
  const hasBlank = width > 1 && last !== undefined && isBlank(last) && last.cells.length > 1;
  if (width === 1 || count === -1 || count > maxRagged)
    return { ragged: [], rows: width === 1 ? filled : [], hasBlank };
  const regular = filled.slice(count);
  // Otherwise, quotes or the delimiter are not understood, and each row is a question of its own.
  const isRegular = regular.slice(0, regularRows).every(({ cells }) => cells.length === width);
  return isRegular
    ? { ragged: filled.slice(0, count).toReversed(), rows: regular, hasBlank }
    : { ragged: [], rows: [], hasBlank };
}

/**
 * Whether such rows are notes or totals. Otherwise the last one may be a row of data that is cut off,
 * or rows of data that a quote has swallowed.
 */
export const areNotes = (ragged: readonly TextRow[]): boolean =>
  ragged.every(({ cells, isOpen }) => {
    if (isOpen) return false;
    const filled = cells.filter((cell) => cell !== '');
    const [first = ''] = filled;
    return filled.some(isLabel) || hasLabel(first) || (filled.length <= 2 && isSentence(first));
  });

/**
 * Refuses notes and totals that are not as wide as the table, unless the author has written `skipFooter`.
 *
 * @throws Problem
 */
export function requireTable({ ragged }: Tail, { skipFooter }: CsvOptions): void {
  if (skipFooter !== undefined || ragged.length === 0 || !areNotes(ragged)) return;
  const shown = ragged.map(showRow).join('; ');
  throw new Problem(
    `the last ${ragged.length === 1 ? 'row has' : `${ragged.length} rows have`} a different number of values than the table (${shown}); write skipFooter: ${ragged.length} under csv`,
  );
}

/** Several words, a text in parentheses, or a sign that begins a note. */
const isSentence = (text: string): boolean => /\S\s+\S/.test(text) || /^[(*#†[]|:$/.test(text);

/** The cells of a row, for a message. */
export const showRow = ({ cells }: Pick<TextRow, 'cells'>): string => {
  const shown = cells.map((cell) => JSON.stringify(cell.slice(0, 60)));
  return shown.length > 6 ? `${shown.slice(0, 6).join(', ')} …` : shown.join(', ');
};

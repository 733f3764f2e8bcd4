import fs from 'node:fs/promises';

import type { XlsxOptions } from '@portal-embed/report-model';

import { showRow } from './csv-footer.ts';
import { nameColumns, Problem } from './csv-names.ts';
import { hasSecondHead, readHead, readRange, type Range } from './xlsx-names.ts';
import { writeRows, type KeptRow, type SheetRows } from './xlsx-rows.ts';
import { findNotes, findSkip } from './xlsx-surroundings.ts';
import type { NamedColumn } from './xlsx-table.ts';
import type { Sheet, Workbook } from './xlsx-workbook.ts';

/** Rows below those with the names of the columns. */
export interface HeadedRows extends Omit<SheetRows, 'ranges'> {
  merged: Range[];
  /** Rows of names. */
  head: number;
}

export interface ReadOptions {
  xlsx: XlsxOptions;
  /** Whether options that are missing are found in the sheet. Otherwise, they are refused. */
  isDraft: boolean;
  /** The new file. */
  target: string;
}

/** What `readRows` has found. */
export interface FoundRows {
  rows: HeadedRows;
  /** Options that the author has not written. */
  chosen: Pick<XlsxOptions, 'skip' | 'skipFooter'>;
  /** The rows that `skipFooter` leaves out. */
  footer: KeptRow[];
  hints: string[];
}

/**
 * Writes the rows of a table, which can have titles above it, names in two rows, and notes below it.
 *
 * @throws Problem
 */
export async function readRows(
  workbook: Workbook,
  { part }: Sheet,
  texts: readonly string[],
  { xlsx, isDraft, target }: ReadOptions,
): Promise<FoundRows> {
  const { header } = xlsx;
  const chosen: FoundRows['chosen'] = {};
  const hints: string[] = [];
  const write = async (head: number, end?: number): Promise<HeadedRows> => {
    await fs.rm(target, { force: true });
    const skip = xlsx.skip ?? chosen.skip ?? 0;
    const { ranges, ...found } = await writeRows(workbook, part, texts, {
      target,
      skip,
      head,
      ...(end !== undefined && { end }),
    });
    return { ...found, merged: ranges.flatMap((text) => readRange(text) ?? []), head };
  };
  let rows = await write(Number(header));
  requireRows(rows, xlsx);
  const skip =
    header && xlsx.skip === undefined ? findSkip(rows.first, listColumns(rows), rows.merged) : 0;
  if (skip > 0) {
    const title = JSON.stringify([...rows.first[0]!.cells.values()][0]!.text.slice(0, 60));
    if (!isDraft)
      throw new Problem(
        `the first row with values has only ${title}, and the names of the columns are probably in row ${skip + 1}; write skip: ${skip} under xlsx`,
      );
    chosen.skip = skip;
    hints.push(
      `the table begins in row ${skip + 1}, below ${title}; skip: ${skip} leaves out what is above it`,
    );
    rows = await write(1);
  }
  const [first, second] = rows.first;
  if (header && hasSecondHead(first!, second, rows.merged)) rows = await write(2);
  const notes = xlsx.skipFooter === undefined ? findNotes(rows.last, listColumns(rows)) : [];
  if (notes.length > 0) {
    const shown = notes.map(showRow).join('; ');
    if (!isDraft)
      throw new Problem(
        `the last ${notes.length === 1 ? 'row has' : `${notes.length} rows have`} a different number of values than the table (${shown}); write skipFooter: ${notes.length} under xlsx`,
      );
    chosen.skipFooter = notes.length;
    hints.push(
      `skipFooter: ${notes.length} leaves out the end of the sheet, which has a different number of values than the table: ${shown}`,
    );
  }
  const count = xlsx.skipFooter ?? notes.length;
  const footer = count === 0 ? [] : rows.last.slice(-count);
  if (footer.length < count)
    throw new Problem(
      `skipFooter is ${count}, but the sheet has fewer rows; write a smaller number`,
    );
  if (count > 0) rows = await write(rows.head, footer[0]!.number);
  return { rows, chosen, footer, hints };
}

function requireRows({ first }: HeadedRows, { skip = 0 }: XlsxOptions): void {
  if (first.length > 0) return;
  throw new Problem(
    skip > 0
      ? `the sheet has nothing below row ${skip}; write a smaller number for skip`
      : 'the sheet has no values; write a row of column names',
  );
}

const listColumns = ({ columns }: HeadedRows): number[] =>
  columns.map(({ column }) => column).toSorted((one, other) => one - other);

/** Names the columns with values, from left to right. */
export function nameSheet(rows: HeadedRows, { header }: XlsxOptions): NamedColumn[] {
  const columns = rows.columns
    .map((column, index) => ({ column, index }))
    .toSorted((one, other) => one.column.column - other.column.column);
  const [first, second] = rows.first;
  const head = readHead(
    columns.map(({ column }) => column.column),
    first!,
    rows.head === 2 ? second : undefined,
    rows.merged,
  );
  const names = nameColumns(head, header);
  return columns.map(({ column, index }, at) => ({ column, index, name: names[at]! }));
}

import fs from 'node:fs/promises';

import type { XlsxOptions } from '@portal-embed/report-model';

import { nameColumns, Problem } from './csv-names.ts';
import { hasSecondHead, readHead, readRange, type Range } from './xlsx-names.ts';
import { writeRows, type SheetRows } from './xlsx-rows.ts';
import type { NamedColumn } from './xlsx-table.ts';
import type { Sheet, Workbook } from './xlsx-workbook.ts';

/** Rows below those with the names of the columns. */
export interface HeadedRows extends Omit<SheetRows, 'ranges'> {
  merged: Range[];
  /** Rows of names. */
  head: number;
}

/** Writes the rows below the names, which can have two rows. */
export async function readRows(
  workbook: Workbook,
  { part }: Sheet,
  texts: readonly string[],
  { skip, header }: XlsxOptions,
  target: string,
): Promise<HeadedRows> {
  const write = async (head: number): Promise<HeadedRows> => {
    const { ranges, ...rows } = await writeRows(workbook, part, texts, { target, skip, head });
    return { ...rows, merged: ranges.flatMap((text) => readRange(text) ?? []), head };
  };
  const rows = await write(Number(header));
  const [first, second] = rows.first;
  if (!first) throw new Problem('the sheet has no values; write a row of column names');
  if (!header || !hasSecondHead(first, second, rows.merged)) return rows;
  await fs.rm(target);
  return write(2);
}

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

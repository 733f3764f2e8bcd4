import fs from 'node:fs';

import { Problem } from './csv-names.ts';
import { SheetColumn } from './xlsx-columns.ts';
import {
  readSheet,
  type Cell,
  type CellKind,
  type SheetLayout,
  type SheetRow,
} from './xlsx-sheet.ts';
import type { Workbook } from './xlsx-workbook.ts';

/** Limits of a sheet: cells with a value, columns, and bytes that are written. */
const maxCells = 50_000_000;
const maxColumns = 2_000;
const maxWritten = 2 * 1_024 ** 3;

/** Rows in which the names of columns are looked for. */
const firstRows = 200;

/** Rows at the end that can be left out or asked about. */
const lastRows = 1_100;

/** Hidden rows that a message names. */
const shownRows = 3;

/** One character for the kind of a value that is no text. */
export const kindOf: Partial<Record<CellKind, string>> = {
  number: 'n',
  date: 'd',
  datetime: 'd',
  time: 't',
  boolean: 'b',
};

/** The kind of a number that a formula may not have computed. */
export const formula = 'f';

/** A row of the sheet, by column. */
export interface KeptRow {
  number: number;
  cells: ReadonlyMap<number, Cell>;
}

/** The rows of a sheet, in a file. */
export interface SheetRows extends SheetLayout {
  /** In the order of the file. */
  columns: SheetColumn[];
  /** The first rows below those that are skipped. */
  first: KeptRow[];
  /** The last rows of the file. */
  last: KeptRow[];
  /** Rows that the file has. */
  count: number;
  /** How many rows are hidden, and the first ones. */
  hidden: { count: number; first: number[] };
}

/**
 * Writes the rows of a sheet that have values to a new file: the number of the row, then the text and
 * the kind of each cell, in the order in which the columns appear. Shorter rows end early.
 *
 * @param options.skip rows at the start of the sheet that are left out
 * @param options.head how many of the others have the names, so that they are left out, too
 * @param options.end the first row that is left out at the end. Default: none
 * @param options.maxBytes limit of the file. Default: 2 GB
 */
export async function writeRows(
  workbook: Workbook,
  part: string,
  texts: readonly string[],
  {
    target,
    skip,
    head,
    end = Infinity,
    maxBytes = maxWritten,
  }: { target: string; skip: number; head: number; end?: number; maxBytes?: number },
): Promise<SheetRows> {
  const columns = new Map<number, { index: number; column: SheetColumn }>();
  const first: KeptRow[] = [];
  let last: KeptRow[] = [];
  const hidden = { count: 0, first: [] as number[] };
  let [count, cells, headRows] = [0, 0, 0];
  const lines = new Lines(target, maxBytes);
  const findColumn = (number: number) => {
    let found = columns.get(number);
    if (!found) {
      if (columns.size === maxColumns)
        throw new Problem(
          `the sheet has more than ${maxColumns} columns with values; remove those that no report needs`,
        );
      columns.set(
        number,
        (found = { index: columns.size, column: new SheetColumn(number, workbook.isUncomputed) }),
      );
    }
    return found;
  };
  const addRow = (row: SheetRow) => {
    if (row.number <= skip || row.number >= end) return;
    if ((cells += row.cells.length) > maxCells)
      throw new Problem(`the sheet has more than ${maxCells} cells with values; split it`);
    if (first.length < firstRows) first.push(describeRow(row));
    if ((headRows += 1) <= head) {
      for (const cell of row.cells) findColumn(cell.column);
      return;
    }
    count += 1;
    last.push(describeRow(row));
    if (last.length > 2 * lastRows) last = last.slice(-lastRows);
    if (row.isHidden) {
      hidden.count += 1;
      if (hidden.first.length < shownRows) hidden.first.push(row.number);
    }
    const line: string[] = [];
    for (const cell of row.cells) {
      const { index, column } = findColumn(cell.column);
      column.add(row.number, cell);
      while (line.length < index) line.push(',');
      line[index] = writeCell(cell, workbook.isUncomputed);
    }
    lines.add(`${row.number},${line.join(',')}\n`);
  };
  try {
    const layout = await readSheet(workbook, part, texts, addRow);
    const found = [...columns.values()].map(({ column }) => column);
    return { ...layout, columns: found, first, last: last.slice(-lastRows), count, hidden };
  } finally {
    lines.close();
  }
}

const describeRow = ({ number, cells }: SheetRow): KeptRow => ({
  number,
  cells: new Map(cells.map((cell) => [cell.column, cell])),
});

function writeCell({ kind, text, isFormula }: Cell, isUncomputed: boolean): string {
  if (kind === 'text') return `"${text.replaceAll('"', '""')}",`;
  // Whether a zero was computed is known when all rows are.
  const mark = isUncomputed && isFormula && kind === 'number' ? formula : kindOf[kind];
  return mark === undefined ? ',' : `${text},${mark}`;
}

/** Writes lines to a new file. This process has nothing else to do meanwhile. */
class Lines {
  readonly #file: number;
  readonly #maxBytes: number;
  #waiting: string[] = [];
  #length = 0;
  #bytes = 0;

  constructor(target: string, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#file = fs.openSync(target, 'wx', 0o600);
  }

  add(line: string): void {
    this.#waiting.push(line);
    if ((this.#length += line.length) > 1_000_000) this.#write();
  }

  #write(): void {
    const bytes = Buffer.from(this.#waiting.join(''));
    fs.writeFileSync(this.#file, bytes);
    if ((this.#bytes += bytes.length) > this.#maxBytes)
      throw new Problem(
        'the sheet has too much text to convert it; save it as CSV, and use that file',
      );
    this.#waiting = [];
    this.#length = 0;
  }

  close(): void {
    try {
      this.#write();
    } finally {
      fs.closeSync(this.#file);
    }
  }
}

import type { FieldType } from '@portal-embed/report-model';

import type { CellFormat } from './xlsx-formats.ts';
import { firstLong, writeColumnName, type Cell, type CellKind } from './xlsx-sheet.ts';

/** Cells that a message names. */
const shownCells = 3;

/** A cell such as C5, and its text if it says more than its kind. */
export interface FoundCell {
  cell: string;
  text: string;
}

/** Counts cells of a kind, and keeps the first ones. */
class Found {
  count = 0;
  readonly first: FoundCell[] = [];

  add(row: number, column: number, text: string): void {
    this.count += 1;
    if (this.first.length < shownCells)
      this.first.push({ cell: `${writeColumnName(column)}${row}`, text: text.slice(0, 30) });
  }
}

/** What the cells of one column of a sheet hold. */
export class SheetColumn {
  /** In the sheet, from 1. */
  readonly column: number;
  readonly #isUncomputed: boolean;
  readonly #found = new Map<CellKind, Found>();
  readonly #formats = new Map<string, { format: CellFormat; count: number }>();
  /** Whole numbers that are longer than Excel keeps. */
  readonly long = new Found();
  /** Formulas whose stored value is zero. */
  readonly zeros = new Found();
  #fractions = 0;
  #formulas = 0;

  /** @param isUncomputed whether the program that wrote the workbook has computed no formulas */
  constructor(column: number, isUncomputed: boolean) {
    this.column = column;
    this.#isUncomputed = isUncomputed;
  }

  add(row: number, { kind, text, format, isFormula }: Cell): void {
    let found = this.#found.get(kind);
    if (!found) this.#found.set(kind, (found = new Found()));
    found.add(row, this.column, ['error', 'no-day', 'text', 'time'].includes(kind) ? text : '');
    if (kind !== 'number') return;
    const number = Number(text);
    if (!/^-?\d+$/.test(text)) this.#fractions += 1;
    // A code, such as an account number.
    else if (Math.abs(number) >= firstLong) this.long.add(row, this.column, text);
    if (isFormula) {
      this.#formulas += 1;
      if (number === 0) this.zeros.add(row, this.column, '');
    }
    const key = format.kind === 'currency' ? `${format.sign} ${format.locale ?? ''}` : format.kind;
    const known = this.#formats.get(key);
    if (known) known.count += 1;
    else this.#formats.set(key, { format, count: 1 });
  }

  count(kind: CellKind): number {
    return this.#found.get(kind)?.count ?? 0;
  }

  /** The first cells of a kind. */
  first(kind: CellKind): readonly FoundCell[] {
    return this.#found.get(kind)?.first ?? [];
  }

  /** Whether all of its formulas are zero because the writer of the workbook has computed none. */
  get hasZeroFormulas(): boolean {
    return this.#isUncomputed && this.#formulas > 0 && this.zeros.count === this.#formulas;
  }

  /** Kinds of the cells that have a value and are no text. */
  get kinds(): CellKind[] {
    const typed = ['number', 'date', 'datetime', 'time', 'boolean'] as const;
    const unread = (kind: CellKind) =>
      kind === 'number' && this.hasZeroFormulas ? this.zeros.count : 0;
    return typed.filter((kind) => this.count(kind) > unread(kind));
  }

  /** The type of the cells that are no text; `text` if they have no common one. */
  get type(): FieldType | undefined {
    const { kinds } = this;
    const [first] = kinds;
    if (first === undefined) return undefined;
    if (kinds.every((kind) => kind === 'date' || kind === 'datetime'))
      return kinds.includes('datetime') ? 'datetime' : 'date';
    if (kinds.length > 1 || first === 'time') return 'text';
    if (first === 'boolean') return 'boolean';
    if (this.long.count > 0) return 'text';
    return this.#fractions > 0 ? 'number' : 'integer';
  }

  /** The formats of its numbers. */
  get formats(): CellFormat[] {
    return [...this.#formats.values()].map(({ format }) => format);
  }
}

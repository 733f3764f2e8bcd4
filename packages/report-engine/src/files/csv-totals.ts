import {
  isNumeric,
  type CsvOptions,
  type Question,
  type ReadColumn,
} from '@portal-embed/report-model';

import { showRow, type Tail } from './csv-footer.ts';
import { createHint } from './csv-shape-hints.ts';
import { quoteText } from './csv-sql.ts';
import {
  describeRepeatedNames,
  describeSubtotals,
  isNear,
  shownRows,
  type Converted,
} from './csv-subtotals.ts';
import { quoteName, readAggregates } from './csv-table.ts';
import type { TextRow } from './csv-text.ts';
import { hasLabel, isLabel } from './footer-labels.ts';
import type { DescribedFile, FileColumn } from './tasks.ts';

/**
 * Asks whether the last rows are totals, and names rows that are probably subtotals.
 *
 * @param described the converted file
 */
export async function addTotals(
  described: DescribedFile,
  converted: Converted,
  read: {
    /** Names the place of a row, from 1. */
    locate: (row: number) => Promise<string>;
    tail: Pick<Tail, 'rows' | 'ragged'>;
    csv: CsvOptions;
    isDraft?: boolean | undefined;
  },
): Promise<DescribedFile> {
  const { csv, isDraft = false, tail } = read;
  const { skipFooter = 0 } = csv;
  // Rows that `skipFooter` leaves out may be as wide as the table.
  const rows = tail.rows.slice(Math.max(0, skipFooter - tail.ragged.length));
  const totals = await findTotals(converted, rows);
  const count = totals.rows.length;
  const isOpen = csv.skipFooter === undefined || isDraft;
  const questions = count > 0 && isOpen ? [askFooter(totals, converted.columns, skipFooter)] : [];
  const cut = tail.rows.slice(0, Math.max(0, skipFooter - tail.ragged.length));
  const lost = cut.filter((row) => isData(row, converted.columns)).toReversed();
  const hints = [
    ...(lost.length > 0 ? [describeLost(lost, skipFooter)] : []),
    ...(count > 0 && !isOpen && skipFooter > 0 ? [describeTotals(totals.rows, skipFooter)] : []),
    ...(await describeSubtotals(converted, count, read.locate)),
    ...(await describeRepeatedNames(converted, read.locate)),
  ];
  return {
    ...described,
    hints: [...described.hints, ...hints.map(createHint)],
    questions: [...described.questions, ...questions],
  };
}

/** Such as those of a new file without the total that the one before had. */
const describeLost = (rows: readonly TextRow[], skipFooter: number): string =>
  `skipFooter: ${skipFooter} leaves out ${rows.length === 1 ? 'a row that is' : 'rows that are'} probably data (${rows.slice(0, shownRows).map(showRow).join('; ')}); if so, write a smaller number under csv`;

const describeTotals = (rows: readonly TextRow[], skipFooter: number): string =>
  `after skipFooter, the last row (${showRow(rows[0]!)}) is probably still a total, and it is read as data; if it is a total, write skipFooter: ${skipFooter + rows.length} under csv`;

/** Rows of totals below a table. */
const maxTotals = 5;

/** Columns of a question. */
const shownColumns = 20;

/** Texts that stand for no value. */
const isNothing = (cell: string): boolean => /^(|[-–—.*]+|n\/?a|null)$/i.test(cell);

/** A number column: its values in the last rows, the last one first, and its total over all rows. */
interface NumberColumn {
  index: number;
  values: (number | null)[];
  total: number;
  count: number;
}

interface Totals {
  /** The last one first. */
  rows: TextRow[];
  numbers: NumberColumn[];
}

/**
 * Finds rows of totals at the end of a file: by a label, or by numbers that are the sums or means of
 * the rows above them.
 *
 * @param rows the last rows as texts, the last one first
 */
async function findTotals(converted: Converted, rows: readonly TextRow[]): Promise<Totals> {
  const candidates = rows.slice(0, maxTotals);
  if (candidates.length === 0) return { rows: [], numbers: [] };
  const numbers = await readNumbers(converted, candidates.length);
  const isNumberColumn = new Set(numbers.map(({ index }) => index));
  let count = 0;
  for (const [at, row] of candidates.entries()) {
    if (isTotal(row, at, numbers, isNumberColumn)) count = at + 1;
    // Taxes and discounts stand between totals.
    else if (at === 0 || !row.cells.some(isNothing)) break;
  }
  return { rows: candidates.slice(0, count), numbers };
}

async function readNumbers(
  { connection, file, columns }: Converted,
  last: number,
): Promise<NumberColumn[]> {
  const found = columns.flatMap(({ name, type }, index) =>
    isNumeric(type) ? [{ name: quoteName(name), index }] : [],
  );
  if (found.length === 0) return [];
  const table = `read_parquet(${quoteText(file)})`;
  const [rows, ...totals] = await readAggregates(connection, table, [
    'count(*)',
    ...found.flatMap(({ name }) => [`CAST(sum(${name}) AS DOUBLE)`, `count(${name})`]),
  ]);
  const values = found.map(({ name }) => `CAST(${name} AS DOUBLE)`).join(', ');
  const tail = await connection.runAndReadAll(
    `SELECT ${values} FROM ${table} LIMIT ${last} OFFSET ${Math.max(0, Number(rows) - last)}`,
  );
  const cells = tail.getRowsJson().toReversed();
  return found.map(({ index }, at) => ({
    index,
    values: cells.map((row) => (row[at] === null ? null : Number(row[at]))),
    total: Number(totals[at * 2]),
    count: Number(totals[at * 2 + 1]),
  }));
}

function isTotal(
  { cells }: TextRow,
  at: number,
  numbers: readonly NumberColumn[],
  isNumberColumn: ReadonlySet<number>,
): boolean {
  const texts = cells.filter((cell, index) => !isNumberColumn.has(index) && !isNothing(cell));
  const filled = numbers.filter(({ values }) => typeof values[at] === 'number');
  const hasOnlyLabels = texts.every((text) => hasLabel(text) || isAmount(text));
  const isLabelled = texts.some(hasLabel);
  if (isLabelled && hasOnlyLabels && (filled.length > 0 || texts.some(isLabel))) return true;
  const sums = filled.filter((column) => isSum(column, at));
  if (isLabelled && sums.length > 0) return true;
  const areSums = sums.length > 0 && sums.length === filled.length;
  if (!areSums || sums.some(({ count }) => count - at < 3)) return false;
  const hasGaps = cells.filter((cell) => !isNothing(cell)).length < cells.length;
  return (hasGaps && hasOnlyLabels) || (sums.length > 1 && texts.length === 0);
}

/** Whether a row has a value in each column, as rows of data have, and none is a label of a total. */
function isData({ cells }: TextRow, columns: readonly FileColumn[]): boolean {
  const hasBoth = [true, false].every((isNumber) =>
    columns.some(({ type }) => isNumeric(type) === isNumber),
  );
  return (
    hasBoth &&
    columns.every(({ type }, index) => {
      const cell = cells[index] ?? '';
      if (isNumeric(type)) return /^[-+(]?[\d.,' ]*\d[\d.,' ]*[-)%]?$/.test(cell);
      return !isNothing(cell) && !hasLabel(cell);
    })
  );
}

/** A number with a sign or separators that its column does not read. */
const isAmount = (text: string): boolean =>
  /\d/.test(text) && /^[^\p{L}]*(\p{L}{3})?[^\p{L}]*$/u.test(text);

/** Whether a value is the sum or mean of those above it, perhaps rounded. */
function isSum({ values, total, count }: NumberColumn, at: number): boolean {
  const [value, ...below] = values.slice(0, at + 1).toReversed();
  if (typeof value !== 'number' || value === 0) return false;
  const known = [value, ...below].filter((each) => each !== null);
  const sum = total - known.reduce((one, other) => one + other, 0);
  const rows = count - known.length;
  const isWhole = Number.isInteger(value);
  return (
    rows > 0 &&
    (isNear(value, sum) ||
      (rows > 1 &&
        (isNear(value, sum / rows) || (isWhole && value === Math.round(sum / rows) && rows > 5))))
  );
}

/** Asks whether the last rows are totals. */
function askFooter(
  { rows, numbers }: Totals,
  columns: readonly FileColumn[],
  skipped: number,
): Question {
  const shown = columns
    .map(({ name }, index) => ({
      name,
      cells: rows.map((row) => row.cells[index] ?? '').toReversed(),
      numbers: numbers.find((each) => each.index === index),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .slice(0, shownColumns);
  const read = (isRead: boolean) => shown.map((column) => readFooter(column, isRead));
  return {
    about: 'footer',
    interpretations: [
      { options: { skipFooter: skipped + rows.length }, columns: read(false) },
      { options: { skipFooter: skipped }, columns: read(true) },
    ],
  };
}

/** @param isRead whether the rows are data; otherwise, they are left out */
function readFooter(
  { name, cells, numbers }: { name: string; cells: string[]; numbers: NumberColumn | undefined },
  isRead: boolean,
): ReadColumn {
  const own = numbers?.values.slice(0, cells.length).toReversed() ?? [];
  const values = cells.map((text, at) => {
    const number = own[at];
    const written = typeof number === 'number' ? writeNumber(number) : text;
    return { text, read: isRead ? written : '' };
  });
  const column: ReadColumn = { name, values: values.slice(-shownRows) };
  if (!numbers) return column;
  const left = own.reduce((total: number, value) => total - (value ?? 0), numbers.total);
  column.total = writeNumber(isRead ? numbers.total : left);
  return column;
}

/** Without the digits that sums of doubles get wrong. */
const writeNumber = (value: number): string => String(Number(value.toPrecision(15)));

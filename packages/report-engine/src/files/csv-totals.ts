import type { DuckDBConnection } from '@duckdb/node-api';
import {
  isNumeric,
  type CsvOptions,
  type Question,
  type ReadColumn,
} from '@portal-embed/report-model';

import { showRow, type Tail } from './csv-footer.ts';
import { createHint } from './csv-shape-hints.ts';
import { fits, quoteText } from './csv-sql.ts';
import { quoteName, readAggregates } from './csv-table.ts';
import type { TextRow } from './csv-text.ts';
import { hasLabel, isLabel, labelPatterns } from './footer-labels.ts';
import type { DescribedFile, FileColumn } from './tasks.ts';

/** A converted file. */
interface Converted {
  connection: DuckDBConnection;
  /** The Parquet file. */
  file: string;
  columns: readonly FileColumn[];
}

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
  const hints = [
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

const describeTotals = (rows: readonly TextRow[], skipFooter: number): string =>
  `after skipFooter, the last row (${showRow(rows[0]!)}) is probably still a total, and it is read as data; if it is a total, write skipFooter: ${skipFooter + rows.length} under csv`;

async function describeSubtotals(
  converted: Converted,
  below: number,
  locate: (row: number) => Promise<string>,
): Promise<string[]> {
  const found = await findSubtotals(converted, below);
  const [first, ...others] = await Promise.all(
    found.map(async ({ row, label }) => ({
      row,
      place: `${await locate(row + 1)}${label === null ? '' : ` (${JSON.stringify(label.slice(0, 60))})`}`,
    })),
  );
  if (!first) return [];
  const isAbove = first.row === 0;
  const between = (isAbove ? others : [first, ...others]).map(({ place }) => place);
  return [
    ...(isAbove
      ? [
          `the first row, ${first.place}, is probably the total of those below, and is counted with them; if it is, remove it from the file`,
        ]
      : []),
    ...(between.length > 0
      ? [
          `rows between the others are probably subtotals, and are counted with them: ${between.join(', ')}${found.length === shownRows ? ' …' : ''}; if they are, remove them from the file`,
        ]
      : []),
  ];
}

/** Names rows that have the names of the columns again, as in exports that were joined. */
async function describeRepeatedNames(
  { connection, file, columns }: Converted,
  locate: (row: number) => Promise<string>,
): Promise<string[]> {
  // In another column, a name is a text that does not fit.
  if (columns.length === 0 || columns.some(({ type }) => type !== 'text')) return [];
  const isNames = columns
    .map(({ name }) => `trim(${quoteName(name)}) = ${quoteText(name)}`)
    .join(' AND ');
  const found = await connection.runAndReadAll(
    `SELECT file_row_number FROM read_parquet(${quoteText(file)}, file_row_number = true)
      WHERE ${isNames} ORDER BY file_row_number LIMIT ${shownRows}`,
  );
  const rows = found.getRowsJson();
  if (rows.length === 0) return [];
  const lines = await Promise.all(rows.map(([row]) => locate(Number(row) + 1)));
  return [
    `rows have the names of the columns again, and are counted as data: ${lines.join(', ')}${rows.length === shownRows ? ' …' : ''}; remove them from the file`,
  ];
}

/** Rows of totals below a table. */
const maxTotals = 5;

/** Columns and rows of a question, and rows of a hint. */
const shownColumns = 20;
const shownRows = 3;

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

/** A number with a sign or separators that its column does not read. */
const isAmount = (text: string): boolean =>
  /\d/.test(text) && /^[^\p{L}]*(\p{L}{3})?[^\p{L}]*$/u.test(text);

/** Equal, perhaps rounded to two decimals. */
const isNear = (value: number, other: number): boolean =>
  Math.abs(value - other) <= 0.011 + Math.abs(other) * 1e-9;

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

/** Text columns in which labels of subtotals are looked for. */
const labelColumns = 3;

/** Number columns and rows that are compared with sums of other rows. */
const provenColumns = 5;
const maxCandidates = 50;

/**
 * Finds rows above or between the others that are probably totals: their labels, and their places from 0.
 * A label beside other texts, or none at all, is proven by the sums of the other rows.
 *
 * @param below rows at the end that are known
 */
async function findSubtotals(
  { connection, file, columns }: Converted,
  below: number,
): Promise<{ row: number; label: string | null }[]> {
  const numbers = columns.filter(({ type }) => isNumeric(type)).slice(0, provenColumns);
  if (numbers.length === 0) return [];
  const texts = columns.filter(({ type }) => type === 'text').slice(0, labelColumns);
  if (texts.length === 0) return [];
  const others = columns
    .filter((column) => !isNumeric(column.type))
    .map(({ name }) => `trim(coalesce(CAST(${quoteName(name)} AS VARCHAR), '')) = ''`);
  const hasGap = `(${others.join(' OR ')})`;
  const conditions = texts.map(({ name }) => {
    const text = `lower(trim(${quoteName(name)}))`;
    return {
      text: quoteName(name),
      isLabel: `(${fits(text, labelPatterns.subtotal)} OR (${fits(text, labelPatterns.any)} AND ${hasGap}))`,
      canBeLabel: fits(text, labelPatterns.only),
    };
  });
  const any = (each: 'isLabel' | 'canBeLabel') =>
    `coalesce(${conditions.map((condition) => condition[each]).join(' OR ')}, false)`;
  const label = conditions
    .map(({ text, isLabel, canBeLabel }) => `WHEN ${isLabel} OR ${canBeLabel} THEN ${text}`)
    .join(' ');
  const table = `read_parquet(${quoteText(file)}, file_row_number = true)`;
  const candidate = `(${any('isLabel')} OR ${any('canBeLabel')} OR (file_row_number = 0 AND ${others.join(' AND ')}))`;
  const [rows] = await readAggregates(connection, table, ['count(*)']);
  const values = numbers.map(({ name }) => `coalesce(CAST(${quoteName(name)} AS DOUBLE), 0)`);
  const found = await connection.runAndReadAll(
    `SELECT file_row_number, CASE ${label} END, ${any('isLabel')}, ${values.join(', ')}
      FROM ${table} WHERE ${candidate} ORDER BY file_row_number LIMIT ${maxCandidates}`,
  );
  const candidates = found.getRowsJson().map(([row, text, isLabelled, ...cells]) => ({
    row: Number(row),
    label: text as string | null,
    isLabelled: isLabelled === true,
    values: cells.map(Number),
  }));
  const isOpen = candidates.some(({ isLabelled }) => !isLabelled);
  const sums = isOpen ? await sumBetween() : [];
  return candidates
    .filter(({ row }) => row < Number(rows) - below)
    .filter(({ isLabelled, values: own, row }) => isLabelled || isProven(own, row))
    .slice(0, shownRows);

  /** The sums of the rows above the first candidate, between the others, and below the last one. */
  async function sumBetween(): Promise<{ count: number; totals: number[] }[]> {
    const part = candidates.map(({ row }) => `(file_row_number > ${row})::INTEGER`).join(' + ');
    const parts = await connection.runAndReadAll(
      `SELECT ${part} AS part, count(*), ${values.map((value) => `sum(${value})`).join(', ')}
        FROM ${table} WHERE NOT ${candidate} GROUP BY part`,
    );
    const all = Array.from({ length: candidates.length + 1 }, () => ({
      count: 0,
      totals: numbers.map(() => 0),
    }));
    for (const [index, count, ...totals] of parts.getRowsJson())
      all[Number(index)] = { count: Number(count), totals: totals.map(Number) };
    return all;
  }

  /** Whether values are the sums of all other rows, of those above, or of those since the last candidate. */
  function isProven(own: readonly number[], row: number): boolean {
    const at = candidates.findIndex((each) => each.row === row);
    if (sums.reduce((total, { count }) => total + count, 0) < 2) return false;
    return own.some((value, index) => {
      const add = (total: number, part: { totals: number[] }) => total + part.totals[index]!;
      const totals = [
        sums.reduce(add, 0),
        sums.slice(0, at + 1).reduce(add, 0),
        sums[at]!.totals[index]!,
      ];
      return value !== 0 && totals.some((total) => isNear(value, total));
    });
  }
}

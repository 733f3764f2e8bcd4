import type { DuckDBConnection } from '@duckdb/node-api';
import { isNumeric } from '@portal-embed/report-model';

import { fits, quoteText } from './csv-sql.ts';
import { quoteName, readAggregates } from './csv-table.ts';
import { labelPatterns } from './footer-labels.ts';
import type { FileColumn } from './tasks.ts';

/** A converted file. */
export interface Converted {
  connection: DuckDBConnection;
  /** The Parquet file. */
  file: string;
  columns: readonly FileColumn[];
}

/** Rows that a question or a hint shows. */
export const shownRows = 3;

/** Equal, perhaps rounded to two decimals. */
export const isNear = (value: number, other: number): boolean =>
  Math.abs(value - other) <= 0.011 + Math.abs(other) * 1e-9;

/** Names rows above or between the others that are probably totals. */
export async function describeSubtotals(
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
export async function describeRepeatedNames(
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
      isSure: `(${fits(text, labelPatterns.subtotal)} OR (${fits(text, labelPatterns.any)} AND ${hasGap}))`,
      canBeLabel: fits(text, labelPatterns.only),
    };
  });
  const any = (each: 'isSure' | 'canBeLabel') =>
    `coalesce(${conditions.map((condition) => condition[each]).join(' OR ')}, false)`;
  const label = conditions
    .map(({ text, isSure, canBeLabel }) => `WHEN ${isSure} OR ${canBeLabel} THEN ${text}`)
    .join(' ');
  const table = `read_parquet(${quoteText(file)}, file_row_number = true)`;
  const candidate = `(${any('isSure')} OR ${any('canBeLabel')} OR (file_row_number = 0 AND ${others.join(' AND ')}))`;
  const [rows] = await readAggregates(connection, table, ['count(*)']);
  const values = numbers.map(({ name }) => `coalesce(CAST(${quoteName(name)} AS DOUBLE), 0)`);
  const found = await connection.runAndReadAll(
    `SELECT file_row_number, CASE ${label} END, ${any('isSure')}, ${values.join(', ')}
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

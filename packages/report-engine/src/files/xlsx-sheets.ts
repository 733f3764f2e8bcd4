import { describeUnknown, type Question, type ReadColumn } from '@portal-embed/report-model';

import { Problem } from './csv-names.ts';
import { readSheet, type SheetRow } from './xlsx-sheet.ts';
import type { Sheet, Workbook } from './xlsx-workbook.ts';

/** Sheets that are opened to find out whether they have values. */
const maxSheets = 100;

/** Sheets that a message names. */
const shownSheets = 10;

/** Rows and columns that show what a sheet is about. */
const shownRows = 4;
const shownColumns = 20;

/** A sheet, and its first rows. */
interface FirstRows {
  sheet: Sheet;
  rows: SheetRow[];
}

/**
 * Lists the sheets that are not hidden and have values.
 *
 * @param count of rows that are read
 */
async function listSheets(
  workbook: Workbook,
  texts: readonly string[],
  count: number,
): Promise<FirstRows[]> {
  const found: FirstRows[] = [];
  for (const sheet of workbook.sheets.filter(({ isHidden }) => !isHidden).slice(0, maxSheets)) {
    const rows: SheetRow[] = [];
    await readSheet(workbook, sheet.part, texts, (row) => rows.push(row) < count);
    if (rows.length > 0) found.push({ sheet, rows });
  }
  return found;
}

/**
 * Finds the sheet that is read, and the other ones that could be.
 *
 * @param name as the author has written it; Default: the first sheet that is not hidden and has values
 * @throws `Problem` if there is none
 */
export async function chooseSheet(
  workbook: Workbook,
  texts: readonly string[],
  name: string | undefined,
): Promise<{ sheet: Sheet; others: Sheet[] }> {
  if (name !== undefined) return { sheet: findSheet(workbook, name), others: [] };
  const [first, ...others] = (await listSheets(workbook, texts, 1)).map(({ sheet }) => sheet);
  if (first) return { sheet: first, others };
  const hidden = workbook.sheets.filter(({ isHidden }) => isHidden);
  throw new Problem(
    hidden.length === 0
      ? 'the workbook has no values; fill a sheet with column names and rows'
      : `the sheets of the workbook that are not hidden have no values; write the name of a hidden one under xlsx, such as sheet: ${JSON.stringify(hidden[0]!.name)}`,
  );
}

/** Asks which sheet is read. Shows the first rows of each. */
export async function askSheet(workbook: Workbook, texts: readonly string[]): Promise<Question> {
  const sheets = await listSheets(workbook, texts, shownRows);
  return {
    about: 'sheet',
    interpretations: sheets.map(({ sheet, rows }) => ({
      options: { sheet: sheet.name },
      columns: showColumns(rows),
    })),
  };
}

function showColumns([head, ...rows]: readonly SheetRow[]): ReadColumn[] {
  const columns = head!.cells.slice(0, shownColumns);
  return columns.map(({ column, text }) => ({
    name: text.slice(0, 60),
    values: rows.map(({ cells }) => {
      const found = cells.find((cell) => cell.column === column)?.text ?? '';
      return { text: found.slice(0, 60), read: found.slice(0, 60) };
    }),
  }));
}

function findSheet({ sheets }: Workbook, name: string): Sheet {
  // Excel ignores letter case in the names of sheets.
  const found =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = sheets.filter(({ isHidden }) => !isHidden).map((sheet) => sheet.name);
  throw new Problem(describeUnknown('sheet', name, names));
}

/** Such as `Costs and Budget`. */
export const listNames = (sheets: readonly Sheet[]): string => {
  const names = sheets.slice(0, shownSheets).map(({ name }) => JSON.stringify(name));
  const more = sheets.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** A cell as a formula names it: `Orders!C5`, `'My orders'!C5`. */
export const nameCell = (sheet: string, cell: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet)
    ? `${sheet}!${cell}`
    : `'${sheet.replaceAll("'", "''")}'!${cell}`;

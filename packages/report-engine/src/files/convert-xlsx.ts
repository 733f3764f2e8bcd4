import fs from 'node:fs/promises';

import type { FieldType } from '@portal-embed/report-model';

import { writeTable } from './convert-csv.ts';
import { findMisfits } from './csv-misfits.ts';
import { Problem } from './csv-names.ts';
import { readTable, type ReadTable } from './csv-read.ts';
import { createHint } from './csv-shape-hints.ts';
import { quoteText } from './csv-sql.ts';
import type { TextRow } from './csv-text.ts';
import { addTotals } from './csv-totals.ts';
import { createDeclaredForm, describeDeclared } from './csv-types.ts';
import { describeOtherKind } from './file-kind.ts';
import { WrongTypes } from './file-problems.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertSheetTask, DescribedFile, FileProblem } from './tasks.ts';
import { describeColumn, describeSheet } from './xlsx-notes.ts';
import { readFormat } from './xlsx-number-formats.ts';
import { nameSheet, readRows, type FoundRows } from './xlsx-read.ts';
import type { KeptRow } from './xlsx-rows.ts';
import { askSheet, chooseSheet } from './xlsx-sheets.ts';
import { readTexts as readRowTexts } from './xlsx-surroundings.ts';
import { canonical, SheetTable, type NamedColumn } from './xlsx-table.ts';
import { readTexts } from './xlsx-texts.ts';
import { combineTypes, widenType, writeValue } from './xlsx-types.ts';
import { openWorkbook } from './xlsx-workbook.ts';

/** Converts a sheet of a workbook to a new Parquet file. */
export async function writeSheet(task: ConvertSheetTask): Promise<DescribedFile> {
  const { source, xlsx, target } = task;
  const other = await describeOtherKind(source, 'xlsx');
  if (other !== undefined) throw new Problem(other);
  const written = `${target}.rows`;
  const workbook = await openWorkbook(source);
  try {
    const { strings, archive } = workbook;
    const texts = strings === undefined ? [] : await readTexts(archive, strings);
    const { sheet, others } = await chooseSheet(workbook, texts, xlsx.sheet);
    const asked = task.isDraft && others.length > 0 ? [await askSheet(workbook, texts)] : [];
    const ofSheet = asked.length > 0 && { sheet: sheet.name };
    const { isDraft } = task;
    const found = await readRows(workbook, sheet, texts, { xlsx, isDraft, target: written });
    const { rows } = found;
    const columns = nameSheet(rows, xlsx);
    const file = await fs.open(written, 'r');
    try {
      const path = quoteText(`/dev/fd/${file.fd}`);
      const connection = await openRestricted([path, quoteText(target)]);
      const { name } = sheet;
      const table = new SheetTable(connection, path, { name, columns, width: rows.columns.length });
      const described = await convertSheet(table, name, task);
      const notes = [...found.hints.map(createHint), ...describeSheet(sheet, others, rows)];
      const complete = await addTotals(
        {
          ...described,
          hints: [...notes, ...described.hints],
          questions: [...asked, ...described.questions],
        },
        { connection, file: target, columns: described.columns },
        readTail(table, found, task),
      );
      const { hints } = complete;
      return {
        ...complete,
        hints: hints.map(nameSection),
        ...(isDraft && { chosen: { ...ofSheet, ...found.chosen } }),
      };
    } finally {
      await file.close();
    }
  } finally {
    workbook.archive.close();
    await fs.rm(written, { force: true });
  }
}

/** The last rows, of which some may be totals. */
function readTail(
  table: SheetTable,
  { rows, footer, chosen }: FoundRows,
  { xlsx, isDraft }: ConvertSheetTask,
): Parameters<typeof addTotals>[2] {
  const columns = table.columns.map(({ column }) => column.column);
  const toText = (row: KeptRow): TextRow => ({
    cells: readRowTexts(row, columns),
    line: row.number,
  });
  const skipFooter = xlsx.skipFooter ?? chosen.skipFooter;
  return {
    locate: (row) => table.complete().locate(row, table.columns[0]!.name),
    tail: { rows: rows.last.toReversed().map(toText), ragged: footer.map(toText) },
    csv: { ...canonical, ...(skipFooter !== undefined && { skipFooter }) },
    isDraft: isDraft && xlsx.skipFooter === undefined,
  };
}

const nothing: ReadTable = { columns: [], hints: [], questions: [], problems: [], values: [] };

async function convertSheet(
  sheet: SheetTable,
  name: string,
  { xlsx, fields, kept, widened, target }: ConvertSheetTask,
): Promise<DescribedFile> {
  const texts = sheet.texts(xlsx);
  const read =
    texts.names.length === 0
      ? nothing
      : await readTable(texts, fields, { kept: new Set(kept), widened });
  const found: DescribedFile = {
    columns: [],
    hints: [...read.hints],
    questions: [...read.questions],
  };
  const problems: FileProblem[] = [...read.problems];
  const values: string[] = [];
  for (const named of sheet.columns) {
    const at = texts.names.indexOf(named.name);
    const field = Object.hasOwn(fields, named.name) ? fields[named.name]! : {};
    const text = read.columns[at];
    const own = combineTypes(named.column.type, text?.type);
    const type = field.type ?? widenType(own, widened?.[named.name]);
    if (field.type !== undefined && field.type !== 'text')
      problems.push(...(await findOthers(sheet, named, field.type)));
    const { format = text?.format, question } = await readFormat(sheet, named, { type, field });
    found.columns.push({ name: named.name, type, ...(format && { format }) });
    if (question) found.questions.push(question);
    found.hints.push(...describeColumn(name, named, { type, declared: field.type }));
    values.push(writeValue(named, type, read.values[at]));
  }
  if (problems.length > 0)
    throw new WrongTypes({ problems: problems.map(nameSection), columns: found.columns });
  await writeTable(sheet.complete(), values, target);
  return { ...found, hints: found.hints.map(nameSection) };
}

/** Finds cells without a text whose values are not of the declared type. */
async function findOthers(
  sheet: SheetTable,
  { name, column }: NamedColumn,
  declared: Exclude<FieldType, 'text'>,
): Promise<FileProblem[]> {
  if (column.type === undefined || column.type === declared) return [];
  const form = createDeclaredForm(declared, canonical);
  const { misfits } = await findMisfits(sheet.others(), name, form);
  if (!misfits) return [];
  const { place, value } = misfits;
  const message = `${place} has "${value}", which is not ${describeDeclared(declared, canonical)}; correct the value or the type`;
  return [{ column: name, message }];
}

/** The options of texts in cells have the same names as those of CSV files. */
const nameSection = <Said extends { message: string }>(said: Said): Said => ({
  ...said,
  message: said.message.replaceAll('under csv', 'under xlsx'),
});

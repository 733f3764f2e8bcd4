import fs from 'node:fs/promises';

import type { FieldType } from '@portal-embed/report-model';

import { writeTable } from './convert-csv.ts';
import { describeMisfit, findMisfits as checkForm } from './csv-misfits.ts';
import { Problem } from './csv-names.ts';
import { readTable, type ReadTable } from './csv-read.ts';
import { quoteText } from './csv-sql.ts';
import { createDeclaredForm } from './csv-types.ts';
import { describeOtherKind } from './file-kind.ts';
import { WrongTypes } from './file-problems.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { ConvertSheetTask, DescribedFile, FileHint, FileProblem } from './tasks.ts';
import { describeColumn, describeSheet } from './xlsx-notes.ts';
import { nameSheet, readRows } from './xlsx-read.ts';
import { askSheet, chooseSheet } from './xlsx-sheets.ts';
import { canonical, SheetTable, type NamedColumn } from './xlsx-table.ts';
import { readTexts } from './xlsx-texts.ts';
import { combineTypes, writeValue } from './xlsx-types.ts';
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
    const chosen = asked.length > 0 && { chosen: { sheet: sheet.name } };
    const rows = await readRows(workbook, sheet, texts, xlsx, written);
    const columns = nameSheet(rows, xlsx);
    const file = await fs.open(written, 'r');
    try {
      const path = quoteText(`/dev/fd/${file.fd}`);
      const connection = await openRestricted([path, quoteText(target)]);
      const { name } = sheet;
      const table = new SheetTable(connection, path, { name, columns, width: rows.columns.length });
      const { hints, questions, columns: found } = await convertSheet(table, name, task);
      return {
        columns: found,
        hints: [...describeSheet(sheet, others, rows), ...hints],
        questions: [...asked, ...questions],
        ...chosen,
      };
    } finally {
      await file.close();
    }
  } finally {
    workbook.archive.close();
    await fs.rm(written, { force: true });
  }
}

const nothing: ReadTable = { columns: [], hints: [], questions: [], problems: [], values: [] };

async function convertSheet(
  sheet: SheetTable,
  name: string,
  { xlsx, types, target }: ConvertSheetTask,
): Promise<DescribedFile> {
  const texts = sheet.texts(xlsx);
  const read =
    texts.names.length === 0 ? nothing : await readTable(texts, toFields(types), new Set());
  const columns: DescribedFile['columns'] = [];
  const hints: FileHint[] = [];
  const problems: FileProblem[] = [...read.problems];
  const values: string[] = [];
  for (const named of sheet.columns) {
    const at = texts.names.indexOf(named.name);
    const declared = Object.hasOwn(types, named.name) ? types[named.name] : undefined;
    const type = declared ?? combineTypes(named.column.type, read.columns[at]?.type);
    if (declared !== undefined && declared !== 'text')
      problems.push(...(await findMisfits(sheet, named, declared)));
    columns.push({ name: named.name, type });
    hints.push(...describeColumn(name, named, { type, declared }));
    values.push(writeValue(named, type, read.values[at]));
  }
  if (problems.length > 0) throw new WrongTypes({ problems: problems.map(nameSection), columns });
  await writeTable(sheet.complete(), values, target);
  return { columns, hints: [...hints, ...read.hints].map(nameSection), questions: read.questions };
}

const toFields = (types: ConvertSheetTask['types']) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));

async function findMisfits(
  sheet: SheetTable,
  { name, column }: NamedColumn,
  declared: Exclude<FieldType, 'text'>,
): Promise<FileProblem[]> {
  if (column.type === undefined || column.type === declared) return [];
  const form = createDeclaredForm(declared, canonical);
  const { misfits } = await checkForm(sheet.others(), name, form);
  return misfits ? [{ column: name, message: describeMisfit(misfits, declared, canonical) }] : [];
}

/** The options of texts in cells have the same names as those of CSV files. */
const nameSection = <Said extends { message: string }>(said: Said): Said => ({
  ...said,
  message: said.message.replaceAll('under csv', 'under xlsx'),
});

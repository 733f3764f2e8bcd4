/**
 * Writes one workbook to file descriptor 3, then ends. Takes JSON lines: the columns, then batches of
 * rows. The library builds the workbook in one go, which would block the portal for seconds.
 */
import fs from 'node:fs';
import { createInterface } from 'node:readline';

import type { FieldType, Key } from '@portal-embed/report-model';
import writeXlsxFile, { type Cell, type Row } from 'write-excel-file/node';

import type { ExportColumn } from '#platform';

/** Maximum characters of a cell. Excel refuses workbooks with longer texts. */
const maxText = 32_767;

/** The days that Excel shows correctly. Excel counts February 29, 1900, which did not exist. */
const excelDays = { first: '1900-03-01', last: '9999-12-31' };

const formats: Partial<Record<FieldType, string>> = {
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm:ss',
};

const cutText = (text: string) => (text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text);

/** Escapes what a workbook cannot hold, and what Excel would read as such an escape. */
const escapeText = (text: string) =>
  text
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(
      /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );

const writeText = (text: string) => ({ value: escapeText(cutText(text)), type: String });

/** Excel shows 15 digits of a number, so that a longer id loses the others. */
const isLong = (value: number, { type }: ExportColumn) =>
  type !== 'number' && Number.isInteger(value) && Math.abs(value) >= 1e15;

/** Without a format, Excel shows 12.5% as 0.125. */
function writeNumber(value: number, column: ExportColumn): Cell {
  if (isLong(value, column)) return writeText(String(value));
  const { format } = column;
  if (format?.style !== 'percent') return value;
  const digits = format.maximumFractionDigits ?? format.minimumFractionDigits ?? 0;
  return { value, type: Number, format: `${(0).toFixed(digits)}%` };
}

function writeCell(cell: Key, column: ExportColumn): Cell {
  if (cell === null) return null;
  if (typeof cell === 'number') return writeNumber(cell, column);
  if (typeof cell !== 'string') return cell;
  const { type } = column;
  const format = formats[type];
  const day = cell.slice(0, 10);
  if (!format || cell.length < 10 || day < excelDays.first || day > excelDays.last)
    return writeText(cell);
  const value = new Date(type === 'date' ? day : `${cell}Z`);
  return Number.isNaN(value.getTime()) ? writeText(cell) : { value, type: Date, format };
}

/** One level of the groups of columns. A group of several columns is one cell. */
function writeHeads(level: number): Row {
  const groupOf = (column: ExportColumn | undefined) =>
    column?.heads?.[level] && JSON.stringify(column.heads.slice(0, level + 1));
  return columns.map((column, index) => {
    const group = groupOf(column);
    const head = column.heads?.[level];
    if (group === undefined || !head || group === groupOf(columns[index - 1])) return null;
    const end = columns.findIndex((other, at) => at > index && groupOf(other) !== group);
    const columnSpan = (end === -1 ? columns.length : end) - index;
    const cell = writeCell(head.value, { name: '', type: head.type });
    const known: object =
      typeof cell === 'object' && cell !== null ? cell : { value: cell ?? undefined };
    return { ...known, fontWeight: 'bold', align: 'center', columnSpan };
  });
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const readLine = async () => {
  const { value, done } = await lines.next();
  return done ? undefined : (JSON.parse(value) as unknown);
};

const columns = (await readLine()) as ExportColumn[];
const levels = Math.max(0, ...columns.map(({ heads = [] }) => heads.length));
const sheet: Row[] = [
  ...Array.from({ length: levels }, (_, level) => writeHeads(level)),
  columns.map(({ name }) => ({ ...writeText(name), fontWeight: 'bold' })),
];
for (;;) {
  const batch = (await readLine()) as Key[][] | undefined;
  if (!batch) break;
  for (const row of batch) sheet.push(row.map((cell, index) => writeCell(cell, columns[index]!)));
}
const options = { stickyRowsCount: levels + 1, columns: columns.map(() => ({ width: 16 })) };
// Not to standard output, to which a module that NODE_OPTIONS preloads may write.
fs.writeFileSync(3, await writeXlsxFile(sheet, options).toBuffer());

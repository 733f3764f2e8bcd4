import type { FieldType, Key } from '@portal-embed/report-model';

import type { ExportColumn, ExportedTile } from '#platform';

import { disarmFormula, formatCsvRow } from '../csv.ts';

/** Without it, Excel reads UTF-8 as another encoding. */
const byteOrderMark = '\uFEFF';

/** Writes a tile as CSV, one piece of text for each batch of rows. */
export async function* writeCsv({ columns, rows }: ExportedTile): AsyncGenerator<string> {
  yield byteOrderMark + writeHeads(columns).map(formatCsvRow).join('');
  const types = columns.map(({ type }) => type);
  for await (const batch of rows)
    yield batch
      .map((row) => formatCsvRow(row.map((cell, index) => formatCell(cell, types[index]))))
      .join('');
}

/** The rows above the cells. Each column of a pivot repeats the names of its groups. */
function writeHeads(columns: readonly ExportColumn[]): string[][] {
  const levels = Math.max(0, ...columns.map(({ heads = [] }) => heads.length));
  const groups = Array.from({ length: levels }, (_, level) =>
    columns.map(({ heads = [] }) => {
      const head = heads[level];
      return head ? formatCell(head.value, head.type) : '';
    }),
  );
  return [...groups, columns.map(({ name }) => disarmFormula(name))];
}

/** Numbers of any length stay numbers: only text can be a formula. */
const formatCell = (cell: Key, type: FieldType | undefined): string =>
  cell === null ? '' : type === 'text' ? disarmFormula(String(cell)) : String(cell);

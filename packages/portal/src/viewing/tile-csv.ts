import type { FieldType, Key } from '@portal-embed/report-model';

import type { ExportedTile } from '#platform';

import { disarmFormula, formatCsvRow } from '../csv.ts';

/** Without it, Excel reads UTF-8 as another encoding. */
const byteOrderMark = '\uFEFF';

/** Writes a tile as CSV, one piece of text for each batch of rows. */
export async function* writeCsv({ columns, rows }: ExportedTile): AsyncGenerator<string> {
  yield byteOrderMark + formatCsvRow(columns.map(({ name }) => disarmFormula(name)));
  const types = columns.map(({ type }) => type);
  for await (const batch of rows)
    yield batch
      .map((row) => formatCsvRow(row.map((cell, index) => formatCell(cell, types[index]))))
      .join('');
}

/** Numbers of any length stay numbers: only text can be a formula. */
const formatCell = (cell: Key, type: FieldType | undefined): string =>
  cell === null ? '' : type === 'text' ? disarmFormula(String(cell)) : String(cell);

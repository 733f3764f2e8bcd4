import { isNumeric, type FieldType } from '@portal-embed/report-model';

import { toDecimal } from './csv-numbers.ts';
import { quoteName, textOf } from './csv-table.ts';
import { canonical, kindOfCell, type NamedColumn } from './xlsx-table.ts';

const casts = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
} as const;

const isTime = (type: FieldType) => type === 'date' || type === 'datetime';

/**
 * The type of a column whose cells are texts and others.
 *
 * @param other type of the cells that are no texts; `undefined` if there are none
 * @param text type of the cells with a text; `undefined` if there are none
 */
export function combineTypes(other: FieldType | undefined, text: FieldType | undefined): FieldType {
  if (other === undefined || text === undefined) return other ?? text ?? 'text';
  if (other === text) return other;
  if (isNumeric(other) && isNumeric(text)) return 'number';
  return isTime(other) && isTime(text) ? 'datetime' : 'text';
}

/** The type of a column that other files give another type. */
export function widenType(type: FieldType, other: FieldType | undefined): FieldType {
  if (other === 'text') return other;
  if (other === 'number' && type === 'integer') return other;
  return other === 'datetime' && type === 'date' ? other : type;
}

/**
 * SQL: the value of a column in `SheetTable.complete`.
 *
 * @param text SQL: the value of a cell with a text; `undefined` if the column has none
 */
export function writeValue(
  { name, column }: NamedColumn,
  type: FieldType,
  text: string | undefined,
): string {
  if (type === 'text') return quoteName(name);
  if (text !== undefined && column.type === undefined) return text;
  const cell = textOf({ csv: canonical }, name);
  const other =
    type === 'decimal' ? toDecimal(canonical, cell) : `TRY_CAST(${cell} AS ${casts[type]})`;
  return text === undefined
    ? other
    : `CASE WHEN ${kindOfCell(name)} IS NULL THEN ${text} ELSE ${other} END`;
}

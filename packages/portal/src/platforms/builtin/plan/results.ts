import type { FieldType, Key, Value } from '@portal-embed/report-model';

import { keyTypeOf, resultColumns } from '../emit/query.ts';
import type { Cell, Row } from '../engine/messages.ts';
import type { PlanResult, QueryPlan } from './plan.ts';

/**
 * The number that a text means, if a double holds it exactly enough to be written as the same text; or
 * else the text.
 */
function readExact(text: string): number | string {
  const value = Number(text);
  const digits = text.replace(/^-|\./g, '').replace(/^0+/, '').length;
  return digits <= 15 || String(value) === text ? value : text;
}

function readNumber(cell: NonNullable<Cell>): number | null {
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}

const readers: Record<FieldType, (cell: NonNullable<Cell>) => Key> = {
  number: readNumber,
  integer: (cell) => readExact(String(cell)),
  decimal: (cell) => readExact(String(cell)),
  text: String,
  date: String,
  datetime: (cell) => String(cell).replace(' ', 'T'),
  boolean: (cell) => cell === true,
};

/** Reads a key, or a value of a metric. */
const readCell = (type: FieldType, cell: Cell | undefined): Key =>
  cell === null || cell === undefined ? null : readers[type](cell);

const isTotal = (row: Row) => Number(row[resultColumns.isTotal] ?? 0) === 1;

/** Reads the rows that a plan's statement gives. */
export function readResult(plan: QueryPlan, rows: readonly Row[]): PlanResult {
  const { dimensions, metrics } = plan;
  const types = dimensions.map(keyTypeOf);
  const readValues = (row: Row, name: (index: number) => string) =>
    metrics.map(({ type }, index): Value => {
      const value = readCell(type, row[name(index)]);
      return typeof value === 'boolean' ? String(value) : value;
    });
  const total = rows.find(isTotal);
  const [first] = rows;
  const counted = Number(first?.[resultColumns.groupCount] ?? 0);
  return {
    groups: rows
      .filter((row) => !isTotal(row))
      .map((row) => ({
        keys: types.map((type, index) => readCell(type, row[resultColumns.key(index)])),
        isOther: types.map((_type, index) => row[resultColumns.other(index)] === true),
        values: readValues(row, resultColumns.value),
      })),
    groupCount: total ? counted - 1 : counted,
    ...(total ? { totals: readValues(total, resultColumns.value) } : {}),
    ...(plan.emptyValues && first
      ? { emptyValues: readValues(first, resultColumns.emptyValue) }
      : {}),
  };
}

import type { FieldType, Key, Value } from '@portal-embed/report-model';

import type { Cell, Row } from '../engine/messages.ts';
import { keyTypeOf, type PlanGroups, type PlanResult, type QueryPlan } from '../plan/plan.ts';
import { listSets, resultColumns } from './query.ts';

/** A number if a double keeps all digits of the text, otherwise the text. */
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
  // ClickHouse returns 1 for true.
  boolean: Boolean,
};

/** Reads a key, or a value of a metric. */
const readCell = (type: FieldType, cell: Cell | undefined): Key =>
  cell === null || cell === undefined ? null : readers[type](cell);

/** Reads the result of a plan's statement. */
export function readResult(plan: QueryPlan, rows: readonly Row[]): PlanResult {
  const { metrics } = plan;
  const types = plan.dimensions.map(keyTypeOf);
  const readValues = (row: Row, name: (index: number) => string) =>
    metrics.map(({ type }, index): Value => {
      const value = readCell(type, row[name(index)]);
      return typeof value === 'boolean' ? String(value) : value;
    });
  const [all, ...subtotals] = listSets(plan).map(({ dimensions, mask }): PlanGroups => {
    const found = rows.filter((row) => Number(row[resultColumns.set] ?? 0) === mask);
    return {
      groups: found.map((row) => ({
        keys: dimensions.map((index) => readCell(types[index]!, row[resultColumns.key(index)])),
        isOther: dimensions.map((index) => Boolean(row[resultColumns.other(index)])),
        values: readValues(row, resultColumns.value),
      })),
      groupCount: Number(found[0]?.[resultColumns.groupCount] ?? 0),
    };
  });
  const [first] = rows;
  return {
    ...(all ?? { groups: [], groupCount: 0 }),
    subtotals,
    ...(plan.emptyValues && first
      ? { emptyValues: readValues(first, resultColumns.emptyValue) }
      : {}),
  };
}

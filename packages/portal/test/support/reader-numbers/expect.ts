import type { Choice } from './choices.ts';
import { usualSpans } from './choices.ts';
import {
  dimensions,
  drilled,
  metrics,
  type Cell,
  type Grouped,
  type MetricName,
} from './report.ts';
import type { Row } from './rows.ts';

/** A group of a tile: its keys, and its metrics over its rows. */
export interface ExpectedGroup {
  keys: Cell[];
  rows: Row[];
  values: Cell[];
}

/** The rows that a tile shows. */
export const rowsOf = (
  rows: readonly Row[],
  { keeps, mark, secondMark, found, drills }: Choice,
  tile: string,
) =>
  rows.filter(
    (row) =>
      keeps(row) &&
      (found === undefined || found.tile !== tile || found.keeps(row)) &&
      [mark, secondMark].every((each) => !each || each.tile === tile || each.keeps(row)) &&
      (drills === undefined || tile !== drilled || row.Group === 'Chairs'),
  );

/** What a tile groups by at the reader's level. */
export const drillTile = (tile: Grouped, { drills }: Choice): Grouped =>
  drills && tile.id === drilled ? { ...tile, by: ['Product'] } : tile;

export const measure = (names: readonly MetricName[], rows: readonly Row[]): Cell[] =>
  names.map((name) => (rows.length === 0 ? metrics[name].empty : metrics[name].of(rows)));

export const idOf = (keys: readonly (Cell | boolean)[]) => JSON.stringify(keys);

export function groupRows({ by, values }: Grouped, rows: readonly Row[]): ExpectedGroup[] {
  const groups = new Map<string, { keys: Cell[]; rows: Row[] }>();
  for (const row of rows) {
    const keys = by.map((name) => dimensions[name](row));
    const group = groups.get(idOf(keys)) ?? { keys, rows: [] };
    groups.set(idOf(keys), group);
    group.rows.push(row);
  }
  return [...groups.values()].map(({ keys, rows: own }) => ({
    keys,
    rows: own,
    values: measure(values, own),
  }));
}

/** The number of the report, with those that it is compared with, and its line. */
export function expectKpi(visible: readonly Row[], choice: Choice) {
  const { now, before } = choice.spans ?? usualSpans;
  const { keeps, keepsAnyTime = keeps, mark } = choice;
  const anyTime = mark?.keepsAnyTime && { ...mark, keeps: mark.keepsAnyTime };
  const any = rowsOf(
    visible,
    { ...choice, keeps: keepsAnyTime, ...(anyTime && { mark: anyTime }) },
    'kpi',
  );
  const within = ([from, to]: [string, string]) =>
    any.filter(({ Ordered }) => Ordered >= from && Ordered <= to);
  const total = (rows: readonly Row[]) => (rows.length === 0 ? null : metrics.Sales.of(rows));
  const shown = rowsOf(visible, choice, 'kpi');
  const months = listMonths(shown.map(({ Ordered }) => Ordered.slice(0, 7)).toSorted());
  return {
    value: total(within(now)),
    // A reader without rows must not learn how recent the data is.
    earlier: visible.length === 0 ? undefined : total(within(before)),
    target: within(now).length,
    line: months.map((month) => ({
      key: `${month}-01`,
      value: metrics.Sales.of(shown.filter(({ Ordered }) => Ordered.startsWith(month))),
    })),
  };
}

/** All months from the first to the last. */
function listMonths(months: readonly string[]): string[] {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = ['2023', '2024'].flatMap((year) =>
    Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`),
  );
  return all.filter((month) => month >= first && month <= last);
}

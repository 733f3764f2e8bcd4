import type { Group, KpiTile, Tile } from '@portal-embed/report-model';
import { expect } from 'vitest';

import type { Choice } from './choices.ts';
import { drillTile, expectKpi, groupRows, idOf, measure, rowsOf } from './expect.ts';
import { dimensions, metrics, type Cell, type Grouped } from './report.ts';
import type { Row } from './rows.ts';

/** Numbers are sums of doubles, so their last digits depend on the order. */
const round = (cell: unknown) =>
  typeof cell === 'number' || (typeof cell === 'string' && cell !== '' && !Number.isNaN(+cell))
    ? Number(Number(cell).toFixed(6)) + 0
    : cell;
const roundAll = (cells: readonly unknown[]) => cells.map(round);

/** Compares the numbers of a tile on the page with those of plain rows. */
export function checkTile(given: Grouped, computed: Tile, visible: readonly Row[], choice: Choice) {
  if (!('groups' in computed)) throw new Error(`The tile ${given.id} has no groups.`);
  const tile = drillTile(given, choice);
  const rows = rowsOf(visible, choice, tile.id);
  const expected = groupRows(tile, rows);
  const left = new Map(expected.map((group) => [idOf(group.keys), group]));
  const others: Group[] = [];
  for (const group of computed.groups) {
    if (group.other !== undefined) {
      others.push(group);
      continue;
    }
    const id = idOf(group.keys);
    // A period without rows is filled.
    const values = left.get(id)?.values ?? measure(tile.values, []);
    expect(roundAll(group.values), `${tile.id} ${id}`).toEqual(roundAll(values));
    left.delete(id);
  }
  const beyond = [...left.values()];
  const [other] = others;
  expect(beyond.length, `${tile.id} lacks ${[...left.keys()].join()}`).toBe(other?.other ?? 0);
  if (other)
    expect(roundAll(other.values)).toEqual(
      roundAll(
        measure(
          tile.values,
          beyond.flatMap((group) => group.rows),
        ),
      ),
    );
  checkTotals(tile, computed, rows);
}

function checkTotals(tile: Grouped, computed: Tile, rows: readonly Row[]) {
  if (computed.type === 'table' && rows.length > 0)
    expect(roundAll(computed.totals ?? [])).toEqual(roundAll(measure(tile.values, rows)));
  if (computed.type !== 'pivot' || !computed.totals) return;
  const { totals } = computed;
  if (rows.length > 0) expect(roundAll(totals.all)).toEqual(roundAll(measure(tile.values, rows)));
  const ofRows = tile.by.slice(0, tile.rowCount);
  const ofColumns = tile.by.slice(ofRows.length);
  const sets = [
    { rows: ofRows.length, columns: 0, groups: totals.rows },
    { rows: 0, columns: ofColumns.length, groups: totals.columns },
    ...(computed.subtotals ?? []),
  ];
  expect(sets).toHaveLength((ofRows.length + 1) * (ofColumns.length + 1) - 2);
  for (const { rows: rowCount, columns, groups } of sets) {
    const by = [...ofRows.slice(0, rowCount), ...ofColumns.slice(0, columns)];
    const expected = groupRows({ ...tile, by }, rows);
    expect(sortRows(groups.map(listCells))).toEqual(sortRows(expected.map(listCells)));
  }
}

const listCells = ({ keys, values }: { keys: readonly unknown[]; values: readonly unknown[] }) =>
  keys.concat(values);

const sortRows = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => JSON.stringify(roundAll(row))).toSorted();

export function checkKpi(computed: Tile, visible: readonly Row[], choice: Choice) {
  const { value, comparison, target, sparkline } = computed as KpiTile;
  const expected = expectKpi(visible, choice);
  expect(roundAll([value, comparison?.value, target?.value])).toEqual(
    roundAll([expected.value, expected.earlier, expected.target]),
  );
  const line = (points: readonly { key: unknown; value: unknown }[]) =>
    points.map((point) => [point.key, round(point.value)]);
  expect(line(sparkline?.points ?? [])).toEqual(line(expected.line));
}

const blank = (cells: readonly unknown[]) => cells.map((cell) => cell ?? '');

/** Compares the rows of a file with those of plain rows. */
export function checkFile(
  given: Grouped,
  [header, ...cells]: readonly string[][],
  visible: readonly Row[],
  choice: Choice,
) {
  const tile = drillTile(given, choice);
  const rows = rowsOf(visible, choice, tile.id);
  if (tile.rowCount !== undefined) {
    checkPivotFile(tile, tile.rowCount, [header!, ...cells], rows);
    return;
  }
  const expected = groupRows(tile, rows);
  expect(header).toEqual([...tile.by, ...tile.values]);
  expect(sortRows(cells)).toEqual(sortRows(expected.map((group) => blank(listCells(group)))));
}

const total = 'Total';

/** Keys of all groups of columns as a file writes them, each group followed by its total. */
function listHeads(by: Grouped['by'], rows: readonly Row[]): string[][] {
  const [first, ...rest] = by;
  const totals = [[total, ...rest.map(() => '')]];
  if (first === undefined) return [[]];
  const read: (row: Row) => Cell = dimensions[first];
  const keys = [...new Set(rows.map(read))].toSorted((one, other) =>
    one === null || other === null
      ? Number(one === null) - Number(other === null)
      : Number(one > other) - Number(one < other),
  );
  const listed = keys.flatMap((key) =>
    listHeads(
      rest,
      rows.filter((row) => read(row) === key),
    ).map((below) => [String(key ?? '')].concat(below)),
  );
  return [...listed, ...totals];
}

/** The rows that the heads of a row or column name. */
const isOf = (by: Grouped['by'], heads: readonly string[]) => {
  const end = heads.indexOf(total);
  return (row: Row) =>
    by.every(
      (name, level) =>
        (end !== -1 && level >= end) || String(dimensions[name](row) ?? '') === heads[level],
    );
};

/** Each cell of a pivot in a file is computed from the rows that its heads name. */
function checkPivotFile(
  { by, values }: Grouped,
  rowCount: number,
  file: readonly string[][],
  rows: readonly Row[],
) {
  if (rows.length === 0) return;
  const [ofRows, ofColumns] = [by.slice(0, rowCount), by.slice(rowCount)];
  const levels = ofColumns.length;
  const columns = listHeads(ofColumns, rows).flatMap((heads) =>
    values.map((metric) => ({ heads, metric })),
  );
  expect(file[levels]).toEqual([...ofRows, ...columns.map(({ metric }) => metric)]);
  for (const [index, { heads }] of columns.entries())
    // A workbook writes a head of several columns once.
    for (const [level, head] of heads.entries())
      expect([head, '']).toContain(file[level]![rowCount + index]);
  const body = file.slice(levels + 1);
  expect(body.map((cells) => cells.slice(0, rowCount))).toEqual(listHeads(ofRows, rows));
  for (const cells of body)
    for (const [index, { heads, metric }] of columns.entries()) {
      const own = rows.filter(isOf(ofRows, cells)).filter(isOf(ofColumns, heads));
      const expected = own.length === 0 ? '' : (metrics[metric].of(own) ?? '');
      const place = `${by.join()} ${cells.slice(0, rowCount).join()} ${heads.join()}`;
      expect([place, round(cells[rowCount + index])]).toEqual([place, round(expected)]);
    }
}

export function checkKpiFile(
  [header, ...cells]: readonly string[][],
  visible: readonly Row[],
  choice: Choice,
) {
  const { value, earlier, target, line } = expectKpi(visible, choice);
  expect(header).toEqual(['Value', 'From', 'To', 'Sales']);
  const numbers = cells.map(([label, from, , cell]) => [
    label,
    label === 'month' ? from : '',
    round(cell),
  ]);
  expect(numbers).toEqual(
    [
      ['Sales', '', round(value)],
      ...(earlier === undefined ? [] : [['previous year', '', round(earlier)]]),
      ['target', '', round(target)],
      ...line.map((point) => ['month', point.key, round(point.value)]),
    ].map(blank),
  );
}

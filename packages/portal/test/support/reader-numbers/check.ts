import type { Group, KpiTile, Tile } from '@portal-embed/report-model';
import { expect } from 'vitest';

import type { Choice } from './choices.ts';
import { drillTile, expectKpi, groupRows, idOf, measure, rowsOf } from './expect.ts';
import type { Grouped } from './report.ts';
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
  const [ofRows, ofColumns] = tile.by;
  for (const [name, groups] of [
    [ofRows, totals.rows],
    [ofColumns, totals.columns],
  ] as const) {
    const expected = groupRows({ ...tile, by: [name!] }, rows);
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
  const expected = groupRows(tile, rowsOf(visible, choice, tile.id));
  expect(header).toEqual([...tile.by, ...tile.values]);
  expect(sortRows(cells)).toEqual(sortRows(expected.map((group) => blank(listCells(group)))));
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

import type { Key, PivotSort } from '@portal-embed/report-model';

import type { PlanDimension, PlanGroup, PlanGroups, QueryPlan } from '../plan/plan.ts';
import { findMetric, planDimension, type TileContext, type TileOf } from './context.ts';

/** How many dimensions of the rows, and how many of the columns, a set of groups has. */
export interface PivotSet {
  rows: number;
  columns: number;
}

type Run = TileContext['run'];

export const idOf = (keys: readonly (Key | readonly Key[])[]): string => JSON.stringify(keys);

/** The queries of a pivot: groups by its first dimensions of rows and of columns. */
export class PivotQueries {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly metrics;
  readonly #plan: Pick<QueryPlan, 'rows' | 'metrics'>;
  readonly #rows: PlanDimension[];
  readonly #columns: PlanDimension[];
  readonly #run: Run;

  constructor({ dataset, rows }: TileContext, tile: TileOf<'pivot'>, run: Run) {
    this.metrics = tile.metrics.map((name) => findMetric(dataset, name));
    this.#plan = { rows, metrics: this.metrics.map(({ expression }) => expression) };
    this.#rows = tile.rows.map((dimension) => planDimension(dataset, dimension));
    this.#columns = tile.columns.map((dimension) => planDimension(dataset, dimension));
    this.#run = run;
    this.rowCount = tile.rows.length;
    this.columnCount = tile.columns.length;
  }

  get dimensions(): readonly PlanDimension[] {
    return [...this.#rows, ...this.#columns];
  }

  /** Computes the cells and other sets of groups in one scan, by their keys. */
  async compute(
    sets: readonly (PivotSet & { limit: number })[],
    limit: number,
  ): Promise<{ cells: PlanGroups; find: (rows: number, columns: number) => PlanGroups }> {
    const cells = await this.#run({
      ...this.#plan,
      dimensions: this.dimensions,
      order: [],
      limit,
      subtotals: sets.map((set) => ({ dimensions: this.#indexesOf(set), limit: set.limit })),
    });
    const found = new Map(sets.map((set, index) => [nameSet(set), cells.subtotals[index]]));
    const isOfCells = (rows: number, columns: number) =>
      rows === this.rowCount && columns === this.columnCount;
    return {
      cells,
      find: (rows, columns) =>
        isOfCells(rows, columns) ? cells : (found.get(nameSet({ rows, columns })) ?? noGroups),
    };
  }

  /** Computes one set of groups by their keys, in batches. */
  async *read({ rows, columns }: PivotSet, limit: number): AsyncGenerator<PlanGroups> {
    const plan: QueryPlan = {
      ...this.#plan,
      dimensions: [...this.#rows.slice(0, rows), ...this.#columns.slice(0, columns)],
      order: [],
      limit,
    };
    for (let offset = 0; ;) {
      const batch = await this.#run({ ...plan, offset });
      yield batch;
      offset += batch.groups.length;
      if (batch.groups.length === 0 || offset >= batch.groupCount) return;
    }
  }

  /**
   * Sorts combinations of row keys: siblings by the sorted column, and those without a value last.
   *
   * @param leaves ordered by their keys
   */
  async sortRows(
    leaves: readonly Key[][],
    sort: PivotSort | undefined,
    limit: number,
  ): Promise<readonly Key[][]> {
    if (!sort) return leaves;
    const ranks =
      sort.column < this.rowCount ? rankKeys(leaves, sort) : await this.#rankValues(sort, limit);
    return sortTree(leaves, ranks, 0);
  }

  /** The positions of row groups by a metric in one column. The engine compares exact numbers. */
  async #rankValues(
    { column, descending, keys = [] }: PivotSort,
    limit: number,
  ): Promise<ReadonlyMap<string, number>> {
    const columns = keys.length;
    const ranked = await this.#run({
      ...this.#plan,
      dimensions: [...this.#rows, ...this.#columns.slice(0, columns)],
      order: [{ by: 'metric', index: column - this.rowCount, isDescending: descending }],
      limit,
      subtotals: this.#rows.slice(1).map((_, index) => ({
        dimensions: [
          ...this.#rows.slice(0, index + 1).keys(),
          ...keys.map((_key, place) => this.rowCount + place),
        ],
        limit,
      })),
    });
    const wanted = idOf(keys);
    const inColumn = ({ groups }: PlanGroups) =>
      groups
        .filter((group) => idOf(group.keys.slice(group.keys.length - columns)) === wanted)
        .map((group, rank): [string, number] => [
          idOf(group.keys.slice(0, group.keys.length - columns)),
          rank,
        ]);
    return new Map([ranked, ...ranked.subtotals].flatMap(inColumn));
  }

  readonly #indexesOf = ({ rows, columns }: PivotSet) => [
    ...this.#rows.slice(0, rows).keys(),
    ...this.#columns.slice(0, columns).map((_, index) => this.rowCount + index),
  ];
}

const noGroups: PlanGroups = { groups: [], groupCount: 0 };

const nameSet = ({ rows, columns }: PivotSet) => `${rows} ${columns}`;

/** The positions of row groups by the key of one dimension. Blank keys come last. */
function rankKeys(
  leaves: readonly Key[][],
  { column, descending }: PivotSort,
): ReadonlyMap<string, number> {
  const groups = [
    ...new Map(
      leaves.map((keys) => keys.slice(0, column + 1)).map((keys) => [idOf(keys), keys]),
    ).values(),
  ];
  const known = groups.filter((keys) => keys[column] !== null);
  const sorted = descending ? known.toReversed() : known;
  return new Map(sorted.map((keys, rank) => [idOf(keys), rank]));
}

/** Sorts groups among their siblings. Those of equal or no rank keep their order. */
function sortTree(
  leaves: readonly Key[][],
  ranks: ReadonlyMap<string, number>,
  level: number,
): Key[][] {
  const siblings = new Map<string, Key[][]>();
  for (const keys of leaves) {
    const id = idOf(keys.slice(0, level + 1));
    const members = siblings.get(id);
    if (members) members.push(keys);
    else siblings.set(id, [keys]);
  }
  const rankOf = (id: string) => ranks.get(id) ?? Infinity;
  return [...siblings]
    .toSorted(([one], [other]) => compareRanks(rankOf(one), rankOf(other)))
    .flatMap(([, members]) =>
      level + 1 < members[0]!.length ? sortTree(members, ranks, level + 1) : members,
    );
}

const compareRanks = (one: number, other: number) => (one === other ? 0 : one - other);

/** All sets of a pivot but that of its cells. */
export function listSets(rows: number, columns: number): PivotSet[] {
  return Array.from({ length: (rows + 1) * (columns + 1) - 1 }, (_, index) => ({
    rows: Math.floor(index / (columns + 1)),
    columns: index % (columns + 1),
  }));
}

export const toGroups = (groups: readonly PlanGroup[]) =>
  groups.map(({ keys, values }) => ({ keys, values }));

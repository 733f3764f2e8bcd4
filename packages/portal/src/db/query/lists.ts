import type { PagedList } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { Database } from '../connection/open.ts';
import { combineFilters, type Filter } from './filters.ts';
import {
  inSnapshot,
  readWindow,
  toPage,
  computeWindow,
  type Found,
  type PageRequest,
  type PageWindow,
} from './paging.ts';
import { readTotal, type CountedList } from './row-counts.ts';

/** A list of an organization's rows. */
interface List<Row> {
  organizationId: string;
  table: Exclude<CountedList, 'audit_entries'>;
  /** Condition of the rows that the kept total counts. Default: all rows. */
  counted?: RawBuilder<SqlBool>;
  /** Conditions on the table's columns, in addition to the organization. */
  filters: readonly Filter[];
  /** Sort columns. An index of the table has them after the organization. */
  order: readonly { column: string; collate?: 'C' }[];
  /** Reads whole rows by their ids, in any order. */
  load: (snapshot: Database, ids: string[]) => Promise<Row[]>;
}

/**
 * Reads one page: first the ids of its rows, then the rows.
 *
 * A list without filters is read through its index from the nearer end, and its total is kept. The
 * matches of a filter are looked up, counted and sorted. If they are more than a tenth of the list, it
 * is read in its order instead, which reads at most ten rows for each match.
 */
export const listRows = async <Row extends { id: string }>(
  db: Database,
  request: PageRequest,
  list: List<Row>,
): Promise<PagedList<Row>> => toPage(request, await findRows(db, request, list));

/** Reads one page like `listRows`, with the total. */
export const findRows = <Row extends { id: string }>(
  db: Database,
  request: PageRequest,
  list: List<Row>,
): Promise<Found<Row>> =>
  inSnapshot(db, async (snapshot) => {
    const all = await readTotal(snapshot, list.organizationId, list.table);
    const found =
      list.filters.length === 0
        ? await findInOrder(snapshot, request, list, all)
        : ((await findMatches(snapshot, request, list, Math.floor(all / 10))) ??
          (await findInOrder(snapshot, request, list, await countMatches(snapshot, list))));
    if (found.rows.length === 0) return { total: found.total, rows: [] };
    const loaded = await list.load(snapshot, found.rows);
    const byId = new Map(loaded.map((row) => [row.id, row]));
    return { total: found.total, rows: found.rows.map((id) => byId.get(id)!) };
  });

/** Selects the matches, unless there are more than `most`. */
async function findMatches(
  snapshot: Database,
  request: PageRequest,
  list: List<unknown>,
  most: number,
): Promise<{ total: number; rows: string[] } | undefined> {
  const { offset, limit } = computeWindow(request);
  const columns = new Set(['id', ...list.order.map(({ column }) => column)]);
  // Without MATERIALIZED, the planner may read the whole list in its order.
  const { rows } = await sql<{ total: number; rows: string[] | null }>`
    WITH matches AS MATERIALIZED (
      SELECT ${sql.join([...columns].map((column) => sql.ref(column)))}
      FROM ${sql.table(list.table)}
      WHERE ${combineConditions(list, [combineFilters(list.filters)])}
      LIMIT ${most + 1}
    )
    SELECT total, CASE WHEN total <= ${most} THEN ARRAY(
      SELECT id FROM matches ORDER BY ${buildOrder(list, 'start')} LIMIT ${limit} OFFSET ${offset}
    ) END AS rows
    FROM (SELECT count(*) AS total FROM matches) AS counted`.execute(snapshot);
  const { total, rows: ids } = rows[0]!;
  return ids ? { total, rows: ids } : undefined;
}

async function countMatches(snapshot: Database, list: List<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(list.table)}
    WHERE ${combineConditions(list)}`.execute(snapshot);
  return rows[0]!.total;
}

const findInOrder = (
  snapshot: Database,
  request: PageRequest,
  list: List<unknown>,
  total: number,
) =>
  readWindow(request, total, async ({ from, offset, limit }) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ${sql.table(list.table)} WHERE ${combineConditions(list)}
      ORDER BY ${buildOrder(list, from)} LIMIT ${limit} OFFSET ${offset}`.execute(snapshot);
    return rows.map((row) => row.id);
  });

const combineConditions = (
  { organizationId, counted, filters }: List<unknown>,
  conditions = filters.map(({ condition }) => condition),
) =>
  sql.join(
    [sql`organization_id = ${organizationId}`, ...(counted ? [counted] : []), ...conditions],
    sql` AND `,
  );

const buildOrder = ({ order }: List<unknown>, from: PageWindow['from']) =>
  sql.join(
    order.map(
      ({ column, collate }) =>
        sql`${sql.ref(column)}${sql.raw(collate ? ' COLLATE "C"' : '')} ${sql.raw(from === 'start' ? 'asc' : 'desc')}`,
    ),
  );

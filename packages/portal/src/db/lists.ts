import type { Page } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

import type { Database } from './open.ts';
import { inSnapshot, readWindow, toPage, windowOf, type PageRequest } from './paging.ts';
import { readTotal, type CountedList } from './row-counts.ts';

/** A list of an organization's rows that have an id each. */
interface List<Row> {
  organizationId: string;
  table: Exclude<CountedList, 'audit_entries'>;
  /** Conditions on the table's columns, beside the organization's. */
  filters: readonly RawBuilder<SqlBool>[];
  /** Columns of the order, which an index of the table has after the organization. */
  order: readonly { column: string; collate?: 'C' }[];
  /** Reads whole rows by their ids, in any order. */
  load: (snapshot: Database, ids: string[]) => Promise<Row[]>;
}

/**
 * Reads one page: first which rows are on it, then those rows whole.
 *
 * The whole list is read through its index, from the nearer end, and its total is kept. Matches of
 * a filter are found once, then counted and sorted: left to itself the planner may walk the whole
 * list in its order, in the hope that matches come soon.
 */
export const listRows = <Row extends { id: string }>(
  db: Database,
  request: PageRequest,
  list: List<Row>,
): Promise<Page<Row>> =>
  inSnapshot(db, async (snapshot) => {
    const found =
      list.filters.length === 0
        ? await findInWholeList(snapshot, request, list)
        : await findMatches(snapshot, request, list);
    if (found.rows.length === 0) return toPage(request, { total: found.total, rows: [] });
    const loaded = await list.load(snapshot, found.rows);
    const byId = new Map(loaded.map((row) => [row.id, row]));
    return toPage(request, { total: found.total, rows: found.rows.map((id) => byId.get(id)!) });
  });

async function findInWholeList(snapshot: Database, request: PageRequest, list: List<unknown>) {
  const { organizationId, table } = list;
  const total = await readTotal(snapshot, organizationId, table);
  return readWindow(request, total, async ({ from, offset, limit }) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ${sql.table(table)} WHERE organization_id = ${organizationId}
      ORDER BY ${orderBy(list, from === 'start' ? 'asc' : 'desc')} LIMIT ${limit} OFFSET ${offset}`.execute(
      snapshot,
    );
    return rows.map((row) => row.id);
  });
}

async function findMatches(snapshot: Database, request: PageRequest, list: List<unknown>) {
  const { offset, limit } = windowOf(request);
  const columns = new Set(['id', ...list.order.map(({ column }) => column)]);
  const { rows } = await sql<{ total: number; rows: string[] }>`
    WITH matches AS MATERIALIZED (
      SELECT ${sql.join([...columns].map((column) => sql.ref(column)))}
      FROM ${sql.table(list.table)}
      WHERE organization_id = ${list.organizationId} AND ${sql.join(list.filters, sql` AND `)}
    )
    SELECT (SELECT count(*) FROM matches) AS total, ARRAY(
      SELECT id FROM matches ORDER BY ${orderBy(list, 'asc')} LIMIT ${limit} OFFSET ${offset}
    ) AS rows`.execute(snapshot);
  return rows[0]!;
}

const orderBy = ({ order }: List<unknown>, direction: 'asc' | 'desc') =>
  sql.join(
    order.map(
      ({ column, collate }) =>
        sql`${sql.ref(column)}${sql.raw(collate ? ' COLLATE "C"' : '')} ${sql.raw(direction)}`,
    ),
  );

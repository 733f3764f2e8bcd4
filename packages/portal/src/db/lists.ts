import type { Page } from '@portal-embed/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

import { matchesOf, type Filter } from './filters.ts';
import type { Database } from './open.ts';
import { inSnapshot, readWindow, toPage, type PageRequest, type PageWindow } from './paging.ts';
import { readTotal, type CountedList } from './row-counts.ts';

/** A list of an organization's rows that have an id each. */
interface List<Row> {
  organizationId: string;
  table: Exclude<CountedList, 'audit_entries'>;
  /** Conditions on the table's columns, beside the organization's. */
  filters: readonly Filter[];
  /** Columns of the order, which an index of the table has after the organization. */
  order: readonly { column: string; collate?: 'C' }[];
  /** Reads whole rows by their ids, in any order. */
  load: (snapshot: Database, ids: string[]) => Promise<Row[]>;
}

/**
 * Reads one page: first which rows are on it, then those rows whole.
 *
 * The whole list is read through its index, from the nearer end, and its total is kept. Matches of
 * a filter are found and counted, then found again and sorted; or, where they are many and the page
 * is near an end, met on a walk through the list.
 */
export const listRows = <Row extends { id: string }>(
  db: Database,
  request: PageRequest,
  list: List<Row>,
): Promise<Page<Row>> =>
  inSnapshot(db, async (snapshot) => {
    const isWhole = list.filters.length === 0;
    const all = await readTotal(snapshot, list.organizationId, list.table);
    const total = isWhole ? all : await countMatches(snapshot, list);
    const found = await readWindow(request, total, (window) =>
      isWhole || isShortWalk(window, total, all)
        ? walk(snapshot, list, window)
        : sortMatches(snapshot, list, window),
    );
    if (found.rows.length === 0) return toPage(request, { total, rows: [] });
    const loaded = await list.load(snapshot, found.rows);
    const byId = new Map(loaded.map((row) => [row.id, row]));
    return toPage(request, { total, rows: found.rows.map((id) => byId.get(id)!) });
  });

async function countMatches(snapshot: Database, list: List<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(list.table)}
    WHERE organization_id = ${list.organizationId} AND ${matchesOf(list.filters)}`.execute(
    snapshot,
  );
  return rows[0]!.total;
}

/**
 * Whether the page is met soon on a walk through the list. At least a tenth of the list has to
 * match: then even a walk through all of it, because the matches are at its other end, is in
 * proportion to them.
 */
const isShortWalk = ({ offset, limit }: PageWindow, total: number, all: number): boolean =>
  total * 10 >= all && (offset + limit) * 10 <= total;

async function walk(
  snapshot: Database,
  list: List<unknown>,
  { from, offset, limit }: PageWindow,
): Promise<string[]> {
  const conditions: RawBuilder<SqlBool>[] = [
    sql`organization_id = ${list.organizationId}`,
    ...list.filters.map(({ condition }) => condition),
  ];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(list.table)} WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${orderBy(list, from)} LIMIT ${limit} OFFSET ${offset}`.execute(snapshot);
  return rows.map((row) => row.id);
}

async function sortMatches(
  snapshot: Database,
  list: List<unknown>,
  { from, offset, limit }: PageWindow,
): Promise<string[]> {
  const columns = new Set(['id', ...list.order.map(({ column }) => column)]);
  // OFFSET 0 has the matches found first. Left to itself, the planner may walk the whole list in its
  // order, in the hope that matches come soon.
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT ${sql.join([...columns].map((column) => sql.ref(column)))}
      FROM ${sql.table(list.table)}
      WHERE organization_id = ${list.organizationId} AND ${matchesOf(list.filters)} OFFSET 0
    ) AS matches
    ORDER BY ${orderBy(list, from)} LIMIT ${limit} OFFSET ${offset}`.execute(snapshot);
  return rows.map((row) => row.id);
}

const orderBy = ({ order }: List<unknown>, from: PageWindow['from']) =>
  sql.join(
    order.map(
      ({ column, collate }) =>
        sql`${sql.ref(column)}${sql.raw(collate ? ' COLLATE "C"' : '')} ${sql.raw(from === 'start' ? 'asc' : 'desc')}`,
    ),
  );

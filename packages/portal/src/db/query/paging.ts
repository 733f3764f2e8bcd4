import type { PagedList } from '@portal-embed/contract';

import type { AdminList } from '#admin/requests';

import { PortalError } from '../../errors.ts';
import type { Database } from '../connection/open.ts';

export interface PageRequest {
  pageNumber: number;
  pageSize: number;
}

/** Position of a page, counted from the nearer end of the list. */
export interface PageWindow {
  /** Whether rows are read from the end, in reverse order. */
  from: 'start' | 'end';
  offset: number;
  limit: number;
}

/** Total number of rows, and the rows of one page in the list's order. */
export interface Found<Row> {
  total: number;
  rows: Row[];
}

/** Runs `work` in one snapshot, so that a page agrees with its total. */
export const inSnapshot = <Result>(
  db: Database,
  work: (snapshot: Database) => Promise<Result>,
): Promise<Result> =>
  db.isTransaction
    ? work(db)
    : db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(work);

/** Reads a page of a list with a known total, from the nearer end. */
export async function readWindow<Row>(
  request: PageRequest,
  total: number,
  read: (window: PageWindow) => Promise<Row[]>,
): Promise<Found<Row>> {
  const { offset, limit } = computeWindow(request);
  if (offset >= total) return { total, rows: [] };
  const size = Math.min(limit, total - offset);
  const after = total - offset - size;
  if (offset <= after) return { total, rows: await read({ from: 'start', offset, limit: size }) };
  const rows = await read({ from: 'end', offset: after, limit: size });
  return { total, rows: rows.toReversed() };
}

export const computeWindow = ({ pageNumber, pageSize }: PageRequest) => ({
  offset: (pageNumber - 1) * pageSize,
  limit: pageSize,
});

/** The envelope of a page. */
export function toPage<Row>(
  { pageNumber, pageSize }: PageRequest,
  found: Found<Row>,
): PagedList<Row> {
  const totalPages = Math.ceil(found.total / pageSize);
  return {
    pageIndex: pageNumber,
    totalPages,
    hasNextPage: pageNumber < totalPages,
    hasPreviousPage: pageNumber > 1 && totalPages > 0,
    data: found.rows,
  };
}

/** Presents each row of a page. */
export const presentPage = <Row, Item>(
  page: PagedList<Row>,
  present: (row: Row) => Item,
): PagedList<Item> => ({ ...page, data: page.data.map((row) => present(row)) });

/** Presents one page of a list of the administration pages. */
export const presentList = <Row, Item>(
  { pageSize }: Pick<PageRequest, 'pageSize'>,
  { total, rows }: Found<Row>,
  present: (row: Row) => Item,
): AdminList<Item> => ({
  items: rows.map((row) => present(row)),
  totalCount: total,
  totalPages: Math.ceil(total / pageSize),
});

/** Maximum number of links on a page, which is about 4 MB. */
export const maxLinksOfPage = 100_000;

/** Maximum number of links to read for a page: one above the limit, or all for a single item. */
export const linksToRead = ({ pageSize }: Pick<PageRequest, 'pageSize'>): number | null =>
  pageSize === 1 ? null : maxLinksOfPage + 1;

/**
 * Refuses a page whose items have too many links. A page of one item is never refused, because the
 * caller cannot ask for a smaller one.
 */
export function requireSmallPage(
  { pageSize }: PageRequest,
  linksOfItems: readonly { length: number }[],
): void {
  const links = linksOfItems.reduce((sum, { length }) => sum + length, 0);
  if (links <= maxLinksOfPage || pageSize === 1) return;
  const message = `is too large for these items: together they have more than ${maxLinksOfPage} links`;
  throw new PortalError('invalid_request', `pageSize ${message}. Ask for a smaller one.`, {
    errors: [{ path: 'pageSize', message }],
  });
}

import type { Page } from '@portal-embed/contract';
import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Schema } from './schema.ts';

export interface PageRequest {
  pageNumber: number;
  pageSize: number;
}

/** Reads one page of `query` in the order that it has, and how many pages there are. */
export async function readPage<Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { pageNumber, pageSize }: PageRequest,
): Promise<Page<Row>> {
  const [data, counted] = await Promise.all([
    query
      .limit(pageSize)
      .offset((pageNumber - 1) * pageSize)
      .execute(),
    query
      .clearSelect()
      .clearOrderBy()
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  const totalPages = Math.ceil(counted.total / pageSize);
  return {
    pageIndex: pageNumber,
    totalPages,
    hasNextPage: pageNumber < totalPages,
    hasPreviousPage: pageNumber > 1 && totalPages > 0,
    data,
  };
}

/** The same page with each row as it goes over the wire. */
export const presentPage = <Row, Item>(
  page: Page<Row>,
  present: (row: Row) => Item,
): Page<Item> => ({ ...page, data: page.data.map((row) => present(row)) });

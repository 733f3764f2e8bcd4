import { z } from 'zod';

import { defaultPageSize, integerParameter, requestLimits } from '../fields/scalars.ts';

/** What every list accepts. A page past the end is empty; it is not an error. */
export const pageQuery = {
  pageNumber: integerParameter(1, 1_000_000_000)
    .default(1)
    .describe('Index of the page; the first one is 1.'),
  pageSize: integerParameter(1, requestLimits.pageSize)
    .default(defaultPageSize)
    .describe('Items on a page.'),
};

/** The envelope of every list (spec: "Paged list envelope"). `totalPages` of an empty list is 0. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    pageIndex: z.int().describe('Index of this page; the first one is 1.'),
    totalPages: z.int().describe('Number of pages; 0 for an empty list.'),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    data: z.array(item),
  });

export interface PagedList<Item> {
  /** Index of this page; the first one is 1. */
  pageIndex: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  data: Item[];
}

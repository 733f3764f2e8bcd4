import { z } from 'zod';

import { defaultPageSize, integerParameter, requestLimits } from '../fields/scalars.ts';

/** The paging parameters of every list. A page after the last one is empty. */
export const pageQuery = {
  pageNumber: integerParameter(1, 1_000_000_000).default(1).describe('Number of the page, from 1.'),
  pageSize: integerParameter(1, requestLimits.pageSize)
    .default(defaultPageSize)
    .describe('Maximum number of items on a page.'),
};

/** The envelope of every list (specification: "Paged list envelope"). */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    pageIndex: z.int().meta({ description: 'Number of this page, from 1.', example: 1 }),
    totalPages: z.int().meta({ description: 'Number of pages; 0 for an empty list.', example: 1 }),
    hasNextPage: z.boolean().meta({ example: false }),
    hasPreviousPage: z.boolean().meta({ example: false }),
    data: z.array(item),
  });

export interface PagedList<Item> {
  /** Number of this page, from 1. */
  pageIndex: number;
  totalPages: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  data: Item[];
}

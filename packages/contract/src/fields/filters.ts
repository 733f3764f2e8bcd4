import { z } from 'zod';

import { countUtf8Bytes, nonEmptyText, requestLimits, storableText } from './scalars.ts';

/**
 * A filter that a report is opened with. `key` is `Table/Column` or `Column`. A row must match at
 * least one value of each key. A filter narrows what row-level security allows and never widens it.
 */
export const customFilterSchema = z.strictObject({
  key: nonEmptyText(requestLimits.filterKey).describe('`Table/Column` or `Column`.'),
  value: storableText(requestLimits.filterValue).describe('A value of the column, as text.'),
});
export type CustomFilter = z.infer<typeof customFilterSchema>;

export const customFiltersSchema = z
  .array(customFilterSchema)
  .max(requestLimits.filters)
  .refine(
    (filters) => countUtf8Bytes(JSON.stringify(filters)) <= requestLimits.filterBytes,
    `must have at most ${requestLimits.filterBytes} bytes in total`,
  );

/** Normalizes a filter key or column name for comparison: ignores letter case and Unicode form. */
export const foldFilterKey = (key: string): string => key.normalize('NFKC').toLowerCase();

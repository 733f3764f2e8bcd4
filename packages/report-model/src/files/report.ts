import { z } from 'zod';

import { nameSchema, slugSchema } from './names.ts';
import { tileSchema } from './tiles.ts';

const filterSchema = z.strictObject({
  field: nameSchema,
  /**
   * What is chosen at first: a value, a list of values, a range `from..to`, or for the dataset's times
   * `last 12 months`, `this year` and the like.
   */
  default: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
});
export type ReportFilter = z.output<typeof filterSchema>;

const rowSchema = z.strictObject({ tiles: z.array(tileSchema).min(1).max(12) });

const pageSchema = z.strictObject({ name: nameSchema, rows: z.array(rowSchema).min(1).max(30) });
export type ReportPage = z.output<typeof pageSchema>;

/** `reports/{slug}.yaml`: pages of rows of tiles over one dataset. */
export const reportSchema = z.strictObject({
  /** Id of the API, if it must be that of another system. Default: a new one that never changes. */
  id: z.uuid().optional(),
  name: nameSchema,
  description: z.string().max(2_000).optional(),
  workspace: nameSchema,
  /** Slug of the dataset. */
  dataset: slugSchema,
  filters: z.array(filterSchema).max(30).default([]),
  pages: z.array(pageSchema).min(1).max(20),
});
export type Report = z.output<typeof reportSchema>;

import { z } from 'zod';

import { nameSchema, slugSchema } from './names.ts';
import { expected, object } from './object.ts';
import { tileSchema } from './tiles.ts';

const filterSchema = object({
  field: nameSchema,
  default: z
    .union([z.string(), z.array(z.string()).min(1).max(1_000)], {
      error: expected('write text in quotes, or a list of texts'),
    })
    .optional()
    .describe(
      'Initial filter: a value, a list of values, a range such as 100..500, or a period such as last 12 months, this year or previous week.',
    ),
});
export type ReportFilter = z.output<typeof filterSchema>;

const rowSchema = object({ tiles: z.array(tileSchema).min(1).max(12) });

const pageSchema = object({ name: nameSchema, rows: z.array(rowSchema).min(1).max(30) });
export type ReportPage = z.output<typeof pageSchema>;

/** `reports/{slug}.yaml`: the pages of a report over one dataset. Each page has rows of tiles. */
export const reportSchema = object({
  id: z
    .uuid()
    .optional()
    .describe(
      'Id in the API, if another system requires a certain one. Default: a new id, which never changes.',
    ),
  name: nameSchema,
  description: z.string().max(2_000).optional(),
  workspace: nameSchema,
  dataset: slugSchema.describe('Slug of the dataset: its file name without .yaml.'),
  filters: z.array(filterSchema).max(30).default([]),
  pages: z.array(pageSchema).min(1).max(20),
});
export type Report = z.output<typeof reportSchema>;

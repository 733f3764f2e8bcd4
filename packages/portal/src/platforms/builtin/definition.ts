import { z } from 'zod';

/**
 * A report as data: what to compute from the dataset and how to draw it. Columns are named as in
 * the dataset's file; there is no SQL in it.
 */
const format = z.enum(['integer', 'decimal', 'dollars']);

const measure = z.strictObject({
  label: z.string(),
  format,
  /** `count` counts rows and takes no column. */
  aggregate: z.enum(['sum', 'mean', 'min', 'max', 'count']),
  column: z.string().optional(),
});

const dimension = z.strictObject({
  label: z.string(),
  column: z.string(),
  /** How values are grouped; by default each value is a group of its own. */
  by: z.enum(['value', 'year', 'month', 'day', 'hour-of-day']).default('value'),
});

const tileHead = { id: z.string(), title: z.string(), measure };

export const reportDefinitionSchema = z.strictObject({
  tiles: z
    .array(
      z.discriminatedUnion('mark', [
        z.strictObject({ mark: z.literal('kpi'), ...tileHead }),
        z.strictObject({ mark: z.enum(['line', 'bar']), ...tileHead, dimension }),
      ]),
    )
    .min(1)
    .max(50),
});

export type ReportDefinition = z.input<typeof reportDefinitionSchema>;
export type TileDefinition = z.output<typeof reportDefinitionSchema>['tiles'][number];
export type Measure = z.output<typeof measure>;
export type Dimension = z.output<typeof dimension>;

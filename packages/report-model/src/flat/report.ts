import { z } from 'zod';

/** How numbers are written: 1,234 · 1,234.5 · $1,234. */
export const flatFormatSchema = z.enum(['integer', 'decimal', 'dollars']);
export type FlatFormat = z.infer<typeof flatFormatSchema>;

const measureSchema = z.strictObject({
  label: z.string(),
  format: flatFormatSchema,
  /** `count` counts rows and takes no column. */
  aggregate: z.enum(['sum', 'mean', 'min', 'max', 'count']),
  column: z.string().optional(),
});
export type FlatMeasure = z.output<typeof measureSchema>;

const dimensionSchema = z.strictObject({
  label: z.string(),
  column: z.string(),
  /** How values are grouped. Default: each value is its own group. */
  by: z.enum(['value', 'year', 'month', 'day', 'hour-of-day']).default('value'),
});
export type FlatDimension = z.output<typeof dimensionSchema>;

const tileFields = { id: z.string(), title: z.string(), measure: measureSchema };

/** A report without a content file. Column names are those of the dataset's file. */
export const flatReportSchema = z.strictObject({
  tiles: z
    .array(
      z.discriminatedUnion('mark', [
        z.strictObject({ mark: z.literal('kpi'), ...tileFields }),
        z.strictObject({
          mark: z.enum(['line', 'bar']),
          ...tileFields,
          dimension: dimensionSchema,
        }),
      ]),
    )
    .min(1)
    .max(50),
});
export type FlatReport = z.input<typeof flatReportSchema>;
export type FlatTile = z.output<typeof flatReportSchema>['tiles'][number];

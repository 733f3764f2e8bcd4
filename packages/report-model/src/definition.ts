import { z } from 'zod';

/** How numbers are written: 1,234 · 1,234.5 · $1,234. */
export const numberFormatSchema = z.enum(['integer', 'decimal', 'dollars']);
export type NumberFormat = z.infer<typeof numberFormatSchema>;

/** Tiles that show values along a dimension. */
export const seriesMarkSchema = z.enum(['line', 'bar']);
export type SeriesMark = z.infer<typeof seriesMarkSchema>;

const measureSchema = z.strictObject({
  label: z.string(),
  format: numberFormatSchema,
  /** `count` counts rows and takes no column. */
  aggregate: z.enum(['sum', 'mean', 'min', 'max', 'count']),
  column: z.string().optional(),
});
export type Measure = z.output<typeof measureSchema>;

const dimensionSchema = z.strictObject({
  label: z.string(),
  column: z.string(),
  /** How values are grouped. Default: each value is its own group. */
  by: z.enum(['value', 'year', 'month', 'day', 'hour-of-day']).default('value'),
});
export type Dimension = z.output<typeof dimensionSchema>;

const tileFields = { id: z.string(), title: z.string(), measure: measureSchema };

/** A report as data, without SQL. Column names are those of the dataset's file. */
export const reportDefinitionSchema = z.strictObject({
  tiles: z
    .array(
      z.discriminatedUnion('mark', [
        z.strictObject({ mark: z.literal('kpi'), ...tileFields }),
        z.strictObject({ mark: seriesMarkSchema, ...tileFields, dimension: dimensionSchema }),
      ]),
    )
    .min(1)
    .max(50),
});
export type ReportDefinition = z.input<typeof reportDefinitionSchema>;
export type TileDefinition = z.output<typeof reportDefinitionSchema>['tiles'][number];

import { z } from 'zod';

import { nameSchema } from './names.ts';

/** A field, with a grain for dates and times: `Order Date by month`. */
export const dimensionSchema = z.string().min(1).max(250);

/** Periods of time, and places of a time in a longer period, which `hour of day` and the like name. */
export const grains = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'month of year',
  'day of week',
  'hour of day',
] as const;
export type Grain = (typeof grains)[number];

const metric = nameSchema;
const metrics = z
  .union([metric, z.array(metric).min(1).max(20)])
  .transform((names) => [names].flat());
const limit = z.int().min(1).max(5_000);

const tileFields = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().max(2_000).optional(),
  /** Columns of twelve. Default: the tiles of a row share its width. */
  width: z.int().min(1).max(12).optional(),
};

const chartFields = {
  ...tileFields,
  x: dimensionSchema,
  y: metrics,
  /** One series for each value. Not beside several metrics. */
  color: dimensionSchema.optional(),
  /** One small chart for each value. */
  facet: dimensionSchema.optional(),
  /** The most values of `x` that are shown; the others become one. Time has no limit. Default 50. */
  limit: limit.default(50),
};

const barFields = {
  ...chartFields,
  stack: z.enum(['stacked', 'grouped', 'percent']).default('stacked'),
  /** Default: times and numbers ascend, and text is in descending order of the first metric. */
  sort: z.enum(['x', '-x', 'y', '-y']).optional(),
};

/** The kinds of tiles by `type`. */
export const tileSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('kpi'),
    ...tileFields,
    metric,
    /** The last period of the dataset's time beside the one before it, or a year before it. */
    compare: z
      .enum([
        'previous year',
        'previous quarter',
        'previous month',
        'previous week',
        'previous day',
      ])
      .optional(),
    sparkline: z.enum(['year', 'quarter', 'month', 'week', 'day']).optional(),
    /** A number, or a metric. */
    target: z.union([z.number(), metric]).optional(),
  }),
  z.strictObject({ type: z.literal('line'), ...chartFields }),
  z.strictObject({
    type: z.literal('area'),
    ...chartFields,
    stack: z.enum(['stacked', 'percent']).default('stacked'),
  }),
  /** Vertical bars. */
  z.strictObject({ type: z.literal('column'), ...barFields }),
  /** Horizontal bars. `x` is the dimension here, too. */
  z.strictObject({ type: z.literal('bar'), ...barFields }),
  z.strictObject({
    type: z.literal('scatter'),
    ...tileFields,
    /** One mark for each value. */
    point: dimensionSchema,
    x: metric,
    y: metric,
    size: metric.optional(),
    color: dimensionSchema.optional(),
    facet: dimensionSchema.optional(),
    limit: limit.default(1_000),
  }),
  z.strictObject({
    type: z.literal('donut'),
    ...tileFields,
    metric,
    color: dimensionSchema,
    limit: z.int().min(1).max(12).default(6),
  }),
  z.strictObject({
    type: z.literal('table'),
    ...tileFields,
    dimensions: z.array(dimensionSchema).max(10).default([]),
    metrics: z.array(metric).max(20).default([]),
    /** A column by its name; a leading `-` sorts in descending order. */
    sort: z.string().max(252).optional(),
    totals: z.boolean().default(false),
    pageSize: z.int().min(1).max(500).default(25),
  }),
  z.strictObject({
    type: z.literal('pivot'),
    ...tileFields,
    rows: z.array(dimensionSchema).min(1).max(5),
    columns: z.array(dimensionSchema).min(1).max(3),
    metrics: z.array(metric).min(1).max(10),
    totals: z.boolean().default(true),
  }),
  z.strictObject({ type: z.literal('text'), ...tileFields, text: z.string().min(1).max(20_000) }),
]);
export type TileDefinition = z.output<typeof tileSchema>;
export type TileType = TileDefinition['type'];

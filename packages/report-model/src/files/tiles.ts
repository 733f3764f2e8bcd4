import { z } from 'zod';

import { describeUnknown } from '../issues/nearest.ts';
import { conditionalFormatSchema } from './conditional-format.ts';
import { linkSchema } from './link.ts';
import { nameSchema } from './names.ts';
import { expected, object } from './object.ts';

/** A field. A date or time can have a grain: `Order Date by month`. */
export const dimensionSchema = z.string().min(1).max(250).meta({ id: 'dimension' });

/** Positions in a longer period. */
const cyclicGrains = ['month of year', 'day of week', 'hour of day'] as const;
export const grains = ['year', 'quarter', 'month', 'week', 'day', 'hour', ...cyclicGrains] as const;
export type Grain = (typeof grains)[number];

/** A position in a longer period. */
export type CyclicGrain = (typeof cyclicGrains)[number];

export const isCyclic = (grain: Grain): grain is CyclicGrain =>
  (cyclicGrains as readonly Grain[]).includes(grain);

/** In the JSON Schema it has a definition of its own, from which editors know what to offer. */
const metric = nameSchema.meta({ id: 'metric' });
const metrics = z
  .union([metric, z.array(metric).min(1).max(20)], {
    error: expected('write the name of a metric, or a list of names'),
  })
  .transform((names) => [names].flat())
  .describe('A metric or a list of metrics.');
const limit = z.int().min(1).max(5_000);

const tileFields = {
  title: z.string().min(1).max(200).optional(),
  description: z.string().max(2_000).optional(),
  width: z
    .int()
    .min(1)
    .max(12)
    .optional()
    .describe(
      'Width in columns; a row has 12. Default: an equal share of the columns that are left.',
    ),
};

/** A property of tables and pivots. */
const conditionalFormat = z
  .record(metric, conditionalFormatSchema)
  .optional()
  .describe(
    'Highlights numbers, by the name of a metric of this tile. It replaces that of the metric.',
  );

const chartFields = {
  ...tileFields,
  x: dimensionSchema.describe('A field. A date can be grouped, for example by month.'),
  y: metrics,
  color: dimensionSchema
    .optional()
    .describe('One series for each value. Only with a single metric.'),
  facet: dimensionSchema.optional().describe('One small chart for each value.'),
  limit: limit
    .default(50)
    .describe('Maximum number of values. The others are combined into one. Periods have no limit.'),
};

const barFields = {
  ...chartFields,
  stack: z.enum(['stacked', 'grouped', 'percent']).default('stacked'),
  sort: z
    .enum(['x', '-x', 'y', '-y'])
    .optional()
    .describe('Default: dates and numbers ascending; text by the first metric, descending.'),
};

function describeType({ input }: { input?: unknown }): string {
  const types = tileSchema.options.map(({ shape }) => shape.type.value);
  const type = (input as { type?: unknown } | null)?.type;
  if (typeof type !== 'string') return `the tile has no type; write one of ${types.join(', ')}`;
  return describeUnknown('type of tile', type, types);
}

/** All types of tiles. */
export const tileSchema = z.discriminatedUnion(
  'type',
  [
    object({
      type: z.literal('kpi'),
      ...tileFields,
      metric,
      compare: z
        .enum([
          'previous year',
          'previous quarter',
          'previous month',
          'previous week',
          'previous day',
        ])
        .optional()
        .describe(
          'Compares the last period with the one before it. Needs the time of the dataset.',
        ),
      sparkline: z
        .enum(['year', 'quarter', 'month', 'week', 'day'])
        .optional()
        .describe(
          'A small line of the metric over the time of the dataset, one point for each period.',
        ),
      target: z
        .union([z.number(), metric], { error: expected('write a number or the name of a metric') })
        .optional()
        .describe('The number to reach, or a metric with it.'),
    }),
    object({ type: z.literal('line'), ...chartFields }),
    object({
      type: z.literal('area'),
      ...chartFields,
      stack: z.enum(['stacked', 'percent']).default('stacked'),
    }),
    /** Vertical bars. */
    object({ type: z.literal('column'), ...barFields }),
    /** Horizontal bars. `x` is the dimension here, too. */
    object({ type: z.literal('bar'), ...barFields }),
    object({
      type: z.literal('scatter'),
      ...tileFields,
      point: dimensionSchema.describe('One point for each value.'),
      x: metric,
      y: metric,
      size: metric.optional(),
      color: dimensionSchema.optional(),
      facet: dimensionSchema.optional(),
      limit: limit.default(1_000),
    }),
    object({
      type: z.literal('donut'),
      ...tileFields,
      metric,
      color: dimensionSchema,
      limit: z.int().min(1).max(12).default(6),
    }),
    object({
      type: z.literal('table'),
      ...tileFields,
      dimensions: z.array(dimensionSchema).max(10).default([]),
      metrics: z.array(metric).max(20).default([]),
      sort: z
        .string()
        .min(1)
        .max(252)
        .meta({ id: 'column' })
        .optional()
        .describe(
          'Name of a dimension or metric of this table. A leading - sorts in descending order.',
        ),
      totals: z.boolean().default(false),
      conditionalFormat,
      links: z
        .record(dimensionSchema, linkSchema)
        .optional()
        .describe('Addresses to which the values of a dimension of this table link.'),
      pageSize: z.int().min(1).max(500).default(25),
    }),
    object({
      type: z.literal('pivot'),
      ...tileFields,
      rows: z.array(dimensionSchema).min(1).max(5),
      columns: z.array(dimensionSchema).min(1).max(3),
      metrics: z.array(metric).min(1).max(10),
      totals: z.boolean().default(true),
      subtotals: z
        .boolean()
        .optional()
        .describe('Totals of the groups of several rows or columns. Default: as totals.'),
      conditionalFormat,
    }),
    object({
      type: z.literal('text'),
      ...tileFields,
      text: z.string().min(1).max(10_000).describe('Markdown without HTML and images.'),
    }),
  ],
  { error: describeType },
);
export type TileDefinition = z.output<typeof tileSchema>;
export type TileType = TileDefinition['type'];

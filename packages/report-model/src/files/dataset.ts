import { z } from 'zod';

import { colorSchema } from './color.ts';
import { conditionalFormatSchema } from './conditional-format.ts';
import { dateFormatSchema, yearsFromSchema } from './file-options.ts';
import { formatSchema } from './format.ts';
import { expressionSchema, nameSchema } from './names.ts';
import { expected, object } from './object.ts';
import { rowPredicateSchema } from './predicate.ts';
import { sourceSchema } from './source.ts';

export const fieldTypes = [
  'text',
  'number',
  'integer',
  'decimal',
  'date',
  'datetime',
  'boolean',
] as const;

/** `number` is a double, `integer` has 64 bits, `decimal` is exact. Dates have no time zone. */
export type FieldType = (typeof fieldTypes)[number];

/** Values in the order of a field. */
export const maxOrder = 200;

/** A value of a field of text or of true and false. */
const memberSchema = z.union([z.string(), z.boolean()], {
  error: expected('write text, true or false; put a number in quotes'),
});

/** A column of the source, or an expression. Columns without a definition keep their name and type. */
const fieldSchema = object({
  name: nameSchema.describe('A column of the source, or a new name for an expression.'),
  description: z.string().max(2_000).optional(),
  type: z.enum(fieldTypes).optional().describe('Default: the type of the column or expression.'),
  expression: expressionSchema
    .optional()
    .describe('Computes the field from other fields of the same row, such as Profit / Sales.'),
  date: dateFormatSchema
    .optional()
    .describe(
      'Date format of this column of a CSV file, instead of that of the file, such as %m/%d/%Y.',
    ),
  yearsFrom: yearsFromSchema
    .optional()
    .describe(
      'The first of the hundred years that two-digit years of this column mean. Default: that of the file.',
    ),
  format: formatSchema.optional(),
  order: z
    .array(memberSchema)
    .min(1)
    .max(maxOrder)
    .refine(
      (values) => new Set(values).size === values.length,
      'a value is listed twice; remove one',
    )
    .optional()
    .describe(
      'The order of the values, such as [low, mid, high]. Other values come after them, in the usual order. Default: the usual order; that of its type for an enum of PostgreSQL.',
    ),
  colors: z
    .record(z.string(), colorSchema)
    .optional()
    .describe(
      'Colors of values, such as { low: green, high: "#b3261e" }. Each is adapted to light and dark pages. Default: the colors of the series, or of a sequence if the field has an order.',
    ),
}).superRefine(({ type, expression, date, yearsFrom }, context) => {
  const refuse = (property: string, message: string) =>
    context.addIssue({ code: 'custom', path: [property], message });
  for (const [property, value] of Object.entries({ date, yearsFrom }))
    if (value === undefined) continue;
    else if (expression !== undefined)
      refuse(
        property,
        `${property} is for a column of the source, not for an expression; remove it`,
      );
    else if (type !== undefined && type !== 'date' && type !== 'datetime')
      refuse(
        property,
        `${property} needs the type date or datetime; change the type, or remove it`,
      );
});
export type FieldDefinition = z.output<typeof fieldSchema>;

const metricSchema = object({
  name: nameSchema,
  description: z.string().max(2_000).optional(),
  expression: expressionSchema.describe(
    'An expression of aggregates and other metrics, such as sum(Sales) / count().',
  ),
  format: formatSchema.optional(),
  better: z
    .enum(['higher', 'lower', 'neither'])
    .optional()
    // Absent in what is stored, which the previous release reads, too.
    .meta({ default: 'higher' })
    .describe(
      'Whether a higher or a lower number is the better one. It decides which changes and targets are good. neither: no change is good or bad.',
    ),
  conditionalFormat: conditionalFormatSchema
    .optional()
    .describe('Highlights the numbers of this metric in KPIs, tables and pivots.'),
});
export type MetricDefinition = z.output<typeof metricSchema>;

const hierarchySchema = object({
  name: nameSchema,
  fields: z
    .array(nameSchema)
    .min(2)
    .max(10)
    .describe('From the coarsest to the finest, such as [Category, Product].'),
});
export type Hierarchy = z.output<typeof hierarchySchema>;

const roleSchema = object({
  name: nameSchema,
  rows: z
    .union([z.literal('all'), rowPredicateSchema], {
      error: expected('write all, or a condition such as { field: Region, in: [West] }'),
    })
    .describe('The rows that readers with this role see: all, or a condition.'),
});
export type Role = z.output<typeof roleSchema>;

/** `datasets/{slug}.yaml`: data files, fields, metrics, and the rows that each role sees. */
export const datasetSchema = object({
  id: z
    .uuid()
    .optional()
    .describe(
      'Id in the API, if another system requires a certain one. Default: a new id, which never changes.',
    ),
  name: nameSchema.describe(
    'Name that readers see, and the Table in a custom filter Table/Column.',
  ),
  description: z.string().max(2_000).optional(),
  source: sourceSchema.describe('Data files, or a table of a connection.'),
  timeZone: z
    .string()
    .optional()
    .describe(
      'IANA time zone. Dates and times are local times of this zone. Default: the time zone of the organization, which is UTC unless its administrator has set another.',
    ),
  rowAccess: z
    .enum(['by-role', 'everyone'])
    .default('by-role')
    .describe(
      'by-role: readers see the rows of their roles, and none without a role. everyone: all readers see all rows.',
    ),
  time: nameSchema
    .optional()
    .describe(
      'The date field for "Data as of", relative dates such as last 12 months, and comparisons.',
    ),
  fields: z.array(fieldSchema).max(2_000).default([]),
  metrics: z.array(metricSchema).max(1_000).default([]),
  hierarchies: z
    .array(hierarchySchema)
    .max(100)
    .default([])
    .describe('In a chart by one of the fields, readers drill down to the next one.'),
  roles: z.array(roleSchema).max(1_000).default([]),
});
export type Dataset = z.output<typeof datasetSchema>;

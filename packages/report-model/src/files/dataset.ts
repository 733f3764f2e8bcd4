import { z } from 'zod';

import { formatSchema } from './format.ts';
import { expressionSchema, nameSchema } from './names.ts';
import { exactlyOne, expected, object } from './object.ts';
import { describePath } from './paths.ts';
import { rowPredicateSchema } from './predicate.ts';

export const fieldTypes = [
  'text',
  'number',
  'integer',
  'decimal',
  'date',
  'datetime',
  'boolean',
] as const;

/** `number` is a double, `integer` has 64 bits, `decimal` is exact; dates have no time zone. */
export type FieldType = (typeof fieldTypes)[number];

/** How a CSV file is read. */
export const csvSchema = object({
  delimiter: z.string().length(1).default(',').describe('The character between two values.'),
  decimal: z.enum(['.', ',']).default('.').describe('The decimal mark of numbers.'),
  thousands: z.enum(['.', ',', ' ', "'"]).optional().describe('The mark between thousands.'),
  date: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe('The format of dates, such as %d.%m.%Y. Default: ISO 8601.'),
  header: z.boolean().default(true).describe('Whether the first row has the names of the columns.'),
  encoding: z.enum(['utf-8', 'utf-16', 'latin-1', 'windows-1252']).default('utf-8'),
}).superRefine(({ decimal, thousands, delimiter }, context) => {
  const refuse = (property: string, message: string) =>
    context.addIssue({ code: 'custom', path: [property], message });
  if (thousands === decimal)
    refuse('thousands', `decimal and thousands are both "${decimal}"; write another`);
  if (delimiter === decimal)
    refuse('delimiter', `delimiter and decimal are both "${decimal}"; write another, such as ";"`);
});
export type CsvOptions = z.output<typeof csvSchema>;

const pathSchema = (property: 'file' | 'files') =>
  z
    .string()
    .min(1)
    .max(500)
    .superRefine((path, context) => {
      const message = describePath(path, property);
      if (message) context.addIssue({ code: 'custom', message });
    });

/** Where the rows are. Paths are below the organization's folder. */
export type DatasetSource =
  | { file: string; csv?: CsvOptions | undefined }
  | { files: string; csv?: CsvOptions | undefined };

const sourceSchema = object({
  file: pathSchema('file').optional().describe('One Parquet or CSV file.'),
  files: pathSchema('files').optional().describe('A pattern, such as sales/*.parquet.'),
  csv: csvSchema.optional().describe('How a CSV file is read.'),
})
  .superRefine(exactlyOne(['file', 'files'], 'a source'))
  .superRefine(({ file = '', files = file, csv }, context) => {
    if (csv && files.toLowerCase().endsWith('.parquet'))
      context.addIssue({ code: 'custom', path: ['csv'], message: 'a Parquet file has no csv' });
  })
  .meta({
    oneOf: [{ required: ['file'] }, { required: ['files'] }],
  }) as unknown as z.ZodType<DatasetSource>;

/** A column of the source, or an expression of columns. Other columns keep their name and type. */
const fieldSchema = object({
  name: nameSchema.describe('A column of the source, or a new name for an expression.'),
  description: z.string().max(2_000).optional(),
  type: z
    .enum(fieldTypes)
    .optional()
    .describe('Default: the type of the column or of the expression.'),
  expression: expressionSchema
    .optional()
    .describe('Other fields of the row, such as Profit / Sales.'),
  format: formatSchema.optional(),
});
export type FieldDefinition = z.output<typeof fieldSchema>;

const metricSchema = object({
  name: nameSchema,
  description: z.string().max(2_000).optional(),
  expression: expressionSchema.describe(
    'An aggregate, such as sum(Sales), or aggregates and other metrics.',
  ),
  format: formatSchema.optional(),
});
export type MetricDefinition = z.output<typeof metricSchema>;

const roleSchema = object({
  name: nameSchema,
  rows: z
    .union([z.literal('all'), rowPredicateSchema], {
      error: expected('write all, or a condition such as { field: Region, in: [West] }'),
    })
    .describe('The rows that the role allows: all, or a condition.'),
});
export type Role = z.output<typeof roleSchema>;

/** `datasets/{slug}.yaml`: where rows are, what they mean and who may see which. */
export const datasetSchema = object({
  id: z
    .uuid()
    .optional()
    .describe('Id of the API, if another system needs it. Default: a new one that never changes.'),
  name: nameSchema.describe('The Table of a custom filter Table/Column.'),
  description: z.string().max(2_000).optional(),
  source: sourceSchema.describe('Where the rows are.'),
  timeZone: z
    .string()
    .default('UTC')
    .describe('IANA name. Dates and times are wall-clock times of this zone.'),
  rowAccess: z
    .enum(['by-role', 'everyone'])
    .default('by-role')
    .describe(
      'by-role: a reader without a role sees no rows. everyone: each reader sees all rows.',
    ),
  time: nameSchema
    .optional()
    .describe('The date field of "Data as of", of relative dates and of comparisons.'),
  fields: z.array(fieldSchema).max(2_000).default([]),
  metrics: z.array(metricSchema).max(1_000).default([]),
  roles: z.array(roleSchema).max(1_000).default([]),
});
export type Dataset = z.output<typeof datasetSchema>;

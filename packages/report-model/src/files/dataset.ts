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

/** `number` is a double, `integer` has 64 bits, `decimal` is exact. Dates have no time zone. */
export type FieldType = (typeof fieldTypes)[number];

/** How a CSV file is read. */
export const csvSchema = object({
  delimiter: z.string().length(1).default(',').describe('The character between two values.'),
  decimal: z.enum(['.', ',']).default('.').describe('The decimal separator.'),
  thousands: z
    .enum(['.', ',', ' ', "'"])
    .optional()
    .describe('The thousands separator. Default: none.'),
  date: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe('Date format with strptime placeholders, such as %d.%m.%Y. Default: ISO 8601.'),
  header: z.boolean().default(true).describe('Whether the first row contains the column names.'),
  encoding: z.enum(['utf-8', 'utf-16', 'latin-1', 'windows-1252']).default('utf-8'),
}).superRefine(({ decimal, thousands, delimiter }, context) => {
  const refuse = (property: string, message: string) =>
    context.addIssue({ code: 'custom', path: [property], message });
  if (thousands === decimal)
    refuse('thousands', `decimal and thousands are both "${decimal}"; change one of them`);
  if (delimiter === decimal)
    refuse(
      'delimiter',
      `delimiter and decimal are both "${decimal}"; change the delimiter, for example to ";"`,
    );
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

/** The data files. Paths are relative to the organization's data folder. */
export type DatasetSource =
  | { file: string; csv?: CsvOptions | undefined }
  | { files: string; csv?: CsvOptions | undefined };

const sourceSchema = object({
  file: pathSchema('file')
    .optional()
    .describe('Path of one Parquet or CSV file in the data folder.'),
  files: pathSchema('files')
    .optional()
    .describe('A pattern with * and ?, such as sales/*.parquet. The files are read as one table.'),
  csv: csvSchema.optional().describe('How CSV files are read.'),
})
  .superRefine(exactlyOne(['file', 'files'], 'a source'))
  .superRefine(({ file = '', files = file, csv }, context) => {
    if (csv && files.toLowerCase().endsWith('.parquet'))
      context.addIssue({
        code: 'custom',
        path: ['csv'],
        message: 'csv is only for CSV files; remove it',
      });
  })
  .meta({
    oneOf: [{ required: ['file'] }, { required: ['files'] }],
  }) as unknown as z.ZodType<DatasetSource>;

/** A column of the source, or an expression. Columns without a definition keep their name and type. */
const fieldSchema = object({
  name: nameSchema.describe('A column of the source, or a new name for an expression.'),
  description: z.string().max(2_000).optional(),
  type: z.enum(fieldTypes).optional().describe('Default: the type of the column or expression.'),
  expression: expressionSchema
    .optional()
    .describe('Computes the field from other fields of the same row, such as Profit / Sales.'),
  format: formatSchema.optional(),
});
export type FieldDefinition = z.output<typeof fieldSchema>;

const metricSchema = object({
  name: nameSchema,
  description: z.string().max(2_000).optional(),
  expression: expressionSchema.describe(
    'An expression of aggregates and other metrics, such as sum(Sales) / count().',
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
  source: sourceSchema.describe('The data files.'),
  timeZone: z
    .string()
    .default('UTC')
    .describe('IANA time zone. Dates and times are local times of this zone.'),
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
  roles: z.array(roleSchema).max(1_000).default([]),
});
export type Dataset = z.output<typeof datasetSchema>;

import { z } from 'zod';

import { formatSchema } from './format.ts';
import { expressionSchema, nameSchema } from './names.ts';
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
export const csvSchema = z.strictObject({
  delimiter: z.string().length(1).default(','),
  decimal: z.enum(['.', ',']).default('.'),
  thousands: z.enum(['.', ',', ' ', "'"]).optional(),
  /** Format of dates, as in `strptime`: `%d.%m.%Y`. Default: ISO 8601. */
  date: z.string().optional(),
  header: z.boolean().default(true),
  encoding: z.enum(['utf-8', 'utf-16', 'latin-1', 'windows-1252']).default('utf-8'),
});
export type CsvOptions = z.output<typeof csvSchema>;

const path = z.string().min(1).max(500);

/** Where the rows are. Paths are below the organization's folder. */
const sourceSchema = z.union([
  z.strictObject({ file: path, csv: csvSchema.optional() }),
  /** A pattern such as `sales/*.parquet`. */
  z.strictObject({ files: path, csv: csvSchema.optional() }),
]);
export type DatasetSource = z.output<typeof sourceSchema>;

/** A column of the source, or an expression of columns. Other columns keep their name and type. */
const fieldSchema = z.strictObject({
  name: nameSchema,
  description: z.string().optional(),
  /** Default: the type of the column or expression. */
  type: z.enum(fieldTypes).optional(),
  expression: expressionSchema.optional(),
  format: formatSchema.optional(),
});
export type FieldDefinition = z.output<typeof fieldSchema>;

const metricSchema = z.strictObject({
  name: nameSchema,
  description: z.string().optional(),
  /** An aggregate, or an expression of aggregates and other metrics. */
  expression: expressionSchema,
  format: formatSchema.optional(),
});
export type MetricDefinition = z.output<typeof metricSchema>;

const roleSchema = z.strictObject({
  name: nameSchema,
  rows: z.union([z.literal('all'), rowPredicateSchema]),
});
export type Role = z.output<typeof roleSchema>;

/** `datasets/{slug}.yaml`: where rows are, what they mean and who may see which. */
export const datasetSchema = z.strictObject({
  /** Id of the API, if it must be that of another system. Default: a new one that never changes. */
  id: z.uuid().optional(),
  /** The Table of a custom filter's `Table/Column`. */
  name: nameSchema,
  description: z.string().optional(),
  source: sourceSchema,
  /** IANA name. Dates and times are wall-clock times of this zone. */
  timeZone: z.string().default('UTC'),
  /** `by-role`: a reader without a role sees no rows. `everyone`: each reader sees all rows. */
  rowAccess: z.enum(['by-role', 'everyone']).default('by-role'),
  /** The field of "Data as of", of relative dates and of comparisons. */
  time: nameSchema.optional(),
  fields: z.array(fieldSchema).default([]),
  metrics: z.array(metricSchema).default([]),
  roles: z.array(roleSchema).default([]),
});
export type Dataset = z.output<typeof datasetSchema>;

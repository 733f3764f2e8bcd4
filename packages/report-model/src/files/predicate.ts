import { z } from 'zod';

import { nameSchema, slugSchema } from './names.ts';

/** Compared in the field's type. Dates and exact numbers are text. */
export const literalSchema = z.union([z.string(), z.number(), z.boolean()]);
export type Literal = z.output<typeof literalSchema>;

/** What is known about the reader. Each is a list; `email` and `department` have one entry or none. */
export const viewerAttributes = ['email', 'department', 'groups', 'companies'] as const;
const viewerSchema = z.strictObject({ viewer: z.enum(viewerAttributes) });
export type ViewerAttribute = (typeof viewerAttributes)[number];

/** The values of one column in another dataset, from the rows whose key is the viewer's attribute. */
const lookUpSchema = z.strictObject({
  lookup: slugSchema,
  key: nameSchema,
  value: nameSchema,
  /** Default: the viewer's e-mail address. */
  viewer: z.enum(viewerAttributes).default('email'),
});
export type LookUp = z.output<typeof lookUpSchema>;

const listSchema = z.union([z.array(literalSchema).min(1).max(10_000), viewerSchema, lookUpSchema]);
export type ValueList = z.output<typeof listSchema>;

const field = nameSchema;
const conditionSchemas = [
  z.strictObject({ field, in: listSchema }),
  z.strictObject({ field, notIn: listSchema }),
  z.strictObject({ field, equals: z.union([literalSchema, viewerSchema]) }),
  z.strictObject({ field, between: z.tuple([literalSchema, literalSchema]) }),
  z.strictObject({ field, before: literalSchema }),
  z.strictObject({ field, after: literalSchema }),
  z.strictObject({ field, isNull: z.boolean() }),
] as const;

/** A comparison of one field. */
export type Condition = z.output<(typeof conditionSchemas)[number]>;

/** A combination of conditions. */
export type Combination = { and: RowPredicate[] } | { or: RowPredicate[] } | { not: RowPredicate };

/** The rows that a role allows. Each object has exactly one operator. */
export type RowPredicate = Condition | Combination;

export const rowPredicateSchema: z.ZodType<RowPredicate> = z.union([
  ...conditionSchemas,
  z.strictObject({ and: z.array(z.lazy(() => rowPredicateSchema)).min(1) }),
  z.strictObject({ or: z.array(z.lazy(() => rowPredicateSchema)).min(1) }),
  z.strictObject({ not: z.lazy(() => rowPredicateSchema) }),
]);

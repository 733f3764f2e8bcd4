import { z } from 'zod';

import { nameSchema, slugSchema } from './names.ts';
import { exactlyOne, expected, object } from './object.ts';

/** A value, which is read in the type of the field. Dates and exact numbers are text. */
export const literalSchema = z.union([z.string(), z.number(), z.boolean()], {
  error: expected('write text, a number, true or false'),
});
export type Literal = z.output<typeof literalSchema>;

/** Attributes of the reader. Each is a list; `email` and `department` have at most one entry. */
export const viewerAttributes = ['email', 'department', 'groups', 'companies'] as const;
const viewerSchema = object({
  viewer: z.enum(viewerAttributes).describe('An attribute of the reader.'),
});
export type ViewerAttribute = (typeof viewerAttributes)[number];

/** Values of one field of another dataset, from the rows whose `key` equals the reader's attribute. */
const lookUpSchema = object({
  lookup: slugSchema.describe('Slug of the dataset with the allowed values.'),
  key: nameSchema.describe(
    'Field of that dataset which is compared with the attribute of the reader.',
  ),
  value: nameSchema.describe('Field of that dataset which contains the allowed values.'),
  viewer: z
    .enum(viewerAttributes)
    .default('email')
    .describe('Attribute of the reader that key is compared with.'),
});
export type LookUp = z.output<typeof lookUpSchema>;

const listSchema = z.union(
  [
    z.array(literalSchema).min(1, 'the list is empty; add at least one value').max(10_000),
    viewerSchema,
    lookUpSchema,
  ],
  {
    error: expected(
      'write a list such as [West, East], { viewer: … } or { lookup: …, key: …, value: … }',
    ),
  },
);
export type ValueList = z.output<typeof listSchema>;

const field = nameSchema;
type Field = z.output<typeof field>;

/** A comparison of one field. */
export type Condition =
  | { field: Field; in: ValueList }
  | { field: Field; notIn: ValueList }
  | { field: Field; equals: Literal | { viewer: ViewerAttribute } }
  | { field: Field; between: [Literal, Literal] }
  | { field: Field; before: Literal }
  | { field: Field; after: Literal }
  | { field: Field; isNull: boolean };

/** A combination of conditions. */
export type Combination = { and: RowPredicate[] } | { or: RowPredicate[] } | { not: RowPredicate };

/** The rows that a role allows. Each object has exactly one operator. */
export type RowPredicate = Condition | Combination;

const comparisons = ['in', 'notIn', 'equals', 'between', 'before', 'after', 'isNull'] as const;
const combinations = ['and', 'or', 'not'] as const;

/** Tells editors the rule that `superRefine` checks. */
const oneOf = [
  ...comparisons.map((operator) => ({ required: ['field', operator] })),
  ...combinations.map((operator) => ({ required: [operator] })),
];

const combine = (operator: 'and' | 'or') =>
  z
    .array(z.lazy(() => rowPredicateSchema))
    .min(1, `${operator} has no conditions; add one, or write rows: all for every row`)
    .optional();

const everyOperator = object({
  field: field.optional(),
  in: listSchema.optional().describe('Rows with one of these values.'),
  notIn: listSchema
    .optional()
    .describe('Rows with a value that is not in the list. Rows without a value do not match.'),
  equals: z
    .union([literalSchema, viewerSchema], { error: expected('write a value or { viewer: … }') })
    .optional(),
  between: z
    .tuple([literalSchema, literalSchema])
    .optional()
    .describe('The smallest and the largest value, both included.'),
  before: literalSchema.optional(),
  after: literalSchema.optional(),
  isNull: z.boolean().optional(),
  and: combine('and').describe('Rows that match all of these conditions.'),
  or: combine('or').describe('Rows that match at least one of these conditions.'),
  not: z
    .lazy(() => rowPredicateSchema)
    .optional()
    .describe(
      'Rows for which the condition is false, but not rows where a missing value makes it unknown.',
    ),
});

/** A union of ten objects would give worse messages. */
export const rowPredicateSchema = everyOperator
  .superRefine(exactlyOne([...comparisons, ...combinations], 'a condition'))
  .superRefine((predicate, context) => {
    const isComparison = comparisons.some((operator) => operator in predicate);
    const isCombination = combinations.some((operator) => operator in predicate);
    if (isComparison && predicate.field === undefined)
      context.addIssue({
        code: 'custom',
        message: 'the condition has no field; add one, such as field: Region',
      });
    if (isCombination && !isComparison && predicate.field !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['field'],
        message: 'and, or and not take no field; remove it',
      });
  })
  .meta({ id: 'condition', oneOf }) as unknown as z.ZodType<RowPredicate>;

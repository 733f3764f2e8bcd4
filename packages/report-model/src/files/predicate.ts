import { z } from 'zod';

import { nameSchema, slugSchema } from './names.ts';
import { exactlyOne, expected, object } from './object.ts';

/** Compared in the field's type. Dates and exact numbers are text. */
export const literalSchema = z.union([z.string(), z.number(), z.boolean()], {
  error: expected('write text, a number, true or false'),
});
export type Literal = z.output<typeof literalSchema>;

/** What is known about the reader. Each is a list; `email` and `department` have one entry or none. */
export const viewerAttributes = ['email', 'department', 'groups', 'companies'] as const;
const viewerSchema = object({
  viewer: z.enum(viewerAttributes).describe('What is known about the reader.'),
});
export type ViewerAttribute = (typeof viewerAttributes)[number];

/** The values of one column in another dataset, from the rows whose key is the viewer's attribute. */
const lookUpSchema = object({
  lookup: slugSchema.describe('The slug of another dataset.'),
  key: nameSchema.describe('Its field that has the attribute of the reader.'),
  value: nameSchema.describe('Its field that has the allowed values.'),
  viewer: z.enum(viewerAttributes).default('email').describe('The attribute of the reader.'),
});
export type LookUp = z.output<typeof lookUpSchema>;

const listSchema = z.union(
  [
    z.array(literalSchema).min(1, 'the list is empty; name at least one value').max(10_000),
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

/** For editors: what `superRefine` checks. */
const oneOf = [
  ...comparisons.map((operator) => ({ required: ['field', operator] })),
  ...combinations.map((operator) => ({ required: [operator] })),
];

const combine = (operator: 'and' | 'or') =>
  z
    .array(z.lazy(() => rowPredicateSchema))
    .min(1, `${operator} has no condition; for every row, write rows: all`)
    .optional();

const everyOperator = object({
  field: field.optional(),
  in: listSchema.optional().describe('Any of these values.'),
  notIn: listSchema.optional().describe('None of these values, and not empty.'),
  equals: z
    .union([literalSchema, viewerSchema], { error: expected('write a value or { viewer: … }') })
    .optional(),
  between: z
    .tuple([literalSchema, literalSchema])
    .optional()
    .describe('The smallest and the largest value.'),
  before: literalSchema.optional(),
  after: literalSchema.optional(),
  isNull: z.boolean().optional(),
  and: combine('and').describe('All of these conditions.'),
  or: combine('or').describe('Any of these conditions.'),
  not: z
    .lazy(() => rowPredicateSchema)
    .optional()
    .describe('The rows that the condition is false for.'),
});

/** One object with all operators gives better messages than a union of ten objects. */
export const rowPredicateSchema = everyOperator
  .superRefine(exactlyOne([...comparisons, ...combinations], 'a condition'))
  .superRefine((predicate, context) => {
    const isComparison = comparisons.some((operator) => operator in predicate);
    const isCombination = combinations.some((operator) => operator in predicate);
    if (isComparison && predicate.field === undefined)
      context.addIssue({ code: 'custom', message: 'the condition needs a field' });
    if (isCombination && !isComparison && predicate.field !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['field'],
        message: 'remove field; and, or and not have none',
      });
  })
  .meta({ id: 'condition', oneOf }) as unknown as z.ZodType<RowPredicate>;

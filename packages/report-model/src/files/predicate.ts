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

/** Text between several values of one cell. */
const separatorSchema = z
  .string()
  .min(1, 'split is empty; write the text between two values, such as ";"')
  .max(10)
  .refine((text) => !/[\0\p{Cs}]/u.test(text), 'remove NUL and unpaired surrogates');

/** How the rows of a look-up are found: `key` equals the attribute of the reader. */
const lookUpKeys = {
  lookup: slugSchema.describe('Slug of the dataset with the allowed values.'),
  key: nameSchema.describe(
    'Field of that dataset which is compared with the attribute of the reader.',
  ),
  viewer: z
    .enum(viewerAttributes)
    .default('email')
    .describe('Attribute of the reader that key is compared with.'),
};

/** Values of one field of another dataset. */
const lookUpSchema = object({
  ...lookUpKeys,
  value: nameSchema.describe('Field of that dataset which contains the allowed values.'),
  split: separatorSchema
    .optional()
    .describe('Separator of several values in one cell of value, such as ;.'),
  through: nameSchema
    .optional()
    .describe(
      'Field of that dataset with the key of the parent, such as the e-mail of the manager. The rows of all levels below the reader count, too.',
    ),
});
export type LookUp = z.output<typeof lookUpSchema>;

/** A record skips the key `__proto__`, and a role with one field less would allow more rows. */
const pairsSchema = z.preprocess(
  (value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
      context.addIssue({ code: 'custom', message: 'rename the field __proto__' });
    return value;
  },
  z
    .record(nameSchema, nameSchema)
    .refine((fields) => Object.keys(fields).length > 0, {
      message: 'fields is empty; write pairs such as { Country: country, Product: product }',
    })
    .refine((fields) => Object.keys(fields).length <= 10, 'write at most 10 fields'),
);

/** Values of several fields that stand together in one row of another dataset. */
const matchSchema = object({
  ...lookUpKeys,
  fields: pairsSchema.describe(
    'Field of this dataset: field of that dataset with the allowed values.',
  ),
  split: separatorSchema
    .optional()
    .describe(
      'Separator of several values in one cell. If several fields have several values, all combinations are allowed.',
    ),
});
export type Match = z.output<typeof matchSchema>;

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

/** With `split`, the field has several values, and one of them is compared. */
interface Compared {
  field: Field;
  split?: string | undefined;
}

/** A comparison of one field. */
export type FieldCondition =
  | (Compared & { in: ValueList })
  | (Compared & { notIn: ValueList })
  | (Compared & { equals: Literal | { viewer: ViewerAttribute } })
  | { field: Field; between: [Literal, Literal] }
  | { field: Field; before: Literal }
  | { field: Field; after: Literal }
  | { field: Field; isNull: boolean };

/** A comparison of one field, or of several together. */
export type Condition = FieldCondition | { matches: Match };

/** A combination of conditions. */
export type Combination = { and: RowPredicate[] } | { or: RowPredicate[] } | { not: RowPredicate };

/** The rows that a role allows. Each object has exactly one operator. */
export type RowPredicate = Condition | Combination;

const comparisons = ['in', 'notIn', 'equals', 'between', 'before', 'after', 'isNull'] as const;
const listComparisons = ['in', 'notIn', 'equals'] as const;
const combinations = ['and', 'or', 'not'] as const;

/** Tells editors the rule that `superRefine` checks. */
const oneOf = [
  ...comparisons.map((operator) => ({ required: ['field', operator] })),
  ...['matches', ...combinations].map((operator) => ({ required: [operator] })),
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
  split: separatorSchema
    .optional()
    .describe('Separator of several values in one cell of the field. One of them must match.'),
  matches: matchSchema
    .optional()
    .describe('Rows whose values stand together in one row of another dataset.'),
  and: combine('and').describe('Rows that match all of these conditions.'),
  or: combine('or').describe('Rows that match at least one of these conditions.'),
  not: z
    .lazy(() => rowPredicateSchema)
    .optional()
    .describe(
      'Rows for which the condition is false, but not rows where a missing value makes it unknown.',
    ),
});

/** A union of eleven objects would give worse messages. */
export const rowPredicateSchema = everyOperator
  .superRefine(exactlyOne([...comparisons, 'matches', ...combinations], 'a condition'))
  .superRefine((predicate, context) => {
    const isComparison = comparisons.some((operator) => operator in predicate);
    const isOther = ['matches', ...combinations].some((operator) => operator in predicate);
    if (isComparison && predicate.field === undefined)
      context.addIssue({
        code: 'custom',
        message: 'the condition has no field; add one, such as field: Region',
      });
    if (isOther && !isComparison && predicate.field !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['field'],
        message:
          'matches' in predicate
            ? 'matches has the fields in its own fields; remove this one'
            : 'and, or and not take no field; remove it',
      });
    if (predicate.split !== undefined && !listComparisons.some((operator) => operator in predicate))
      context.addIssue({
        code: 'custom',
        path: ['split'],
        message: 'split goes with in, notIn and equals only; remove it',
      });
  })
  .meta({ id: 'condition', oneOf }) as unknown as z.ZodType<RowPredicate>;

import { z } from 'zod';

/** Characters of a name. */
export const maxNameLength = 200;

/** The name of an item, field, metric or role, as readers see it. */
export const nameSchema = z
  .string()
  .min(1)
  .max(maxNameLength)
  .refine((name) => name.trim() === name, 'remove the spaces at the start and end')
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'remove line breaks and control characters');

/** The name of a content file without `.yaml`. It identifies an item within its organization. */
export const slugSchema = z
  .string()
  .max(100)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'write a slug of lower-case letters, digits and single hyphens, such as region-sales',
  );

/** Text of an expression. `parseExpression` checks it. */
export const expressionSchema = z.string().min(1).max(4_000);

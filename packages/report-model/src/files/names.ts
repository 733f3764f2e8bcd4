import { z } from 'zod';

/** The name of an item, field, metric or role, as readers see it. */
export const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name.trim() === name, 'remove the spaces at the start and end')
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'remove line breaks and control characters');

/** The name of a content file without its ending. It identifies an item within its organization. */
export const slugSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'write lower-case letters, digits and single hyphens');

/** An expression of the content language, which `parseExpression` checks. */
export const expressionSchema = z.string().min(1).max(4_000);

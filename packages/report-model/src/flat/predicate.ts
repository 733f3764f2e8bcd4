import { z } from 'zod';

/**
 * The rows that a role without a content file allows. Values are compared in the column's type. An
 * empty `all` allows every row; an empty `any` or `in` allows none.
 */
export type FlatPredicate =
  | { column: string; in: string[] }
  | { column: string; equalsViewerEmail: true }
  | { all: FlatPredicate[] }
  | { any: FlatPredicate[] };

export const flatPredicateSchema: z.ZodType<FlatPredicate> = z.union([
  z.strictObject({ column: z.string().min(1), in: z.array(z.string()) }),
  z.strictObject({ column: z.string().min(1), equalsViewerEmail: z.literal(true) }),
  z.strictObject({ all: z.array(z.lazy(() => flatPredicateSchema)) }),
  z.strictObject({ any: z.array(z.lazy(() => flatPredicateSchema)) }),
]);

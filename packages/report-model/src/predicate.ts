import { z } from 'zod';

/**
 * The rows that a role allows, as data without SQL. Values are compared in the column's type. An
 * empty `all` allows every row; an empty `any` or `in` allows none.
 */
export type RowPredicate =
  | { column: string; in: string[] }
  | { column: string; equalsViewerEmail: true }
  | { all: RowPredicate[] }
  | { any: RowPredicate[] };

export const rowPredicateSchema: z.ZodType<RowPredicate> = z.union([
  z.strictObject({ column: z.string().min(1), in: z.array(z.string()) }),
  z.strictObject({ column: z.string().min(1), equalsViewerEmail: z.literal(true) }),
  z.strictObject({ all: z.array(z.lazy(() => rowPredicateSchema)) }),
  z.strictObject({ any: z.array(z.lazy(() => rowPredicateSchema)) }),
]);

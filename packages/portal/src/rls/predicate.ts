import { z } from 'zod';

/**
 * Which rows a role lets through, as data: there is no SQL in it. Values are compared in the
 * column's own type. `all` of nothing is every row, `any` of nothing is none.
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

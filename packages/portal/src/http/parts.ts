import type { Request } from 'express';
import type { z } from 'zod';

import type { PortalError } from '../errors.ts';

/** Parts of a request, in the order in which they are parsed. */
const parts = ['params', 'query', 'body'] as const;

export type Part = (typeof parts)[number];

/**
 * Parses the parts of a request that have a schema, and returns their fields as one object.
 *
 * @param explain returns the error for the first part that is not valid
 */
export function parseParts(
  req: Request,
  schemas: { readonly [Name in Part]?: z.ZodType | undefined },
  explain: (part: Part, error: z.ZodError) => PortalError,
): Record<string, unknown> {
  const parsed = parts.map((part) => {
    const result = schemas[part]?.safeParse(req[part]);
    if (result?.error) throw explain(part, result.error);
    return result?.data as object | undefined;
  });
  return Object.assign({}, ...parsed) as Record<string, unknown>;
}

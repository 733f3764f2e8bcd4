import { flatPredicateSchema, rowPredicateSchema } from '@portal-embed/report-model';
import { z } from 'zod';

import type { RoleRows } from '../platforms/platform.ts';

/** Roles of content files, and those that programs created without one. */
export const roleRowsSchema: z.ZodType<RoleRows> = z.union([
  z.literal('all'),
  rowPredicateSchema,
  flatPredicateSchema,
]);

import { z } from 'zod';

import { idSchema } from '../fields/scalars.ts';

/**
 * The query of `GET {mount}/open`. Other parameters are ignored, because mail programs append their
 * own to links. Display flags and filters come from the host's policy alone.
 */
export const hostOpenQuerySchema = z.object({ reportId: idSchema.optional() });
export type HostOpenQuery = z.infer<typeof hostOpenQuerySchema>;

import { z } from 'zod';

import { customFiltersSchema, displayFlags } from '../fields/display.ts';
import { idSchema } from '../fields/scalars.ts';

/**
 * The host endpoint: what a browser asks its own host application for. The user and the tenant
 * never come from this body; a body that names `userEmail`, `organizationId` or `baseUrl` is
 * refused as one with an unknown field.
 */
export const hostRequestSchema = z.strictObject({
  reportId: idSchema.optional(),
  ...displayFlags,
  customFilters: customFiltersSchema.optional(),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;

export const hostResponseSchema = z.object({
  embedUrl: z.url(),
  /** ISO 8601, UTC, by the portal's clock. */
  expiresAt: z.string(),
  /** Seconds until then, so that a wrong clock in the browser does no harm. */
  expiresIn: z.number(),
});
export type HostResponse = z.infer<typeof hostResponseSchema>;

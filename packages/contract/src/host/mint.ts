import { z } from 'zod';

import { displayFlags } from '../fields/display.ts';
import { customFiltersSchema } from '../fields/filters.ts';
import { idSchema } from '../fields/scalars.ts';

/**
 * The request of a browser to its own host application. The host takes the user and the tenant from
 * the session, so `userEmail`, `organizationId` and `baseUrl` are unknown fields here.
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
  /** Seconds until `expiresAt`. Use it if the browser's clock may be wrong. */
  expiresIn: z.number(),
  /** The portal's page sends `boot`, so a page without it is an error page. */
  frameChannel: z.literal(true).optional(),
});
export type HostResponse = z.infer<typeof hostResponseSchema>;

import { z } from 'zod';

/**
 * The frame channel between the component in the host page and a page of the portal in its iframe.
 * `boot` and `connect` go from window to window and hand over a MessagePort; everything else goes
 * over that port. `frame/guards.ts` checks the same shapes without zod.
 */

/** Why the portal's page needs a fresh identity URL. */
export const sessionRequiredReasons = [
  'used',
  'expired',
  'unknown',
  'reloaded',
  'session-ended',
] as const;

/** Why the portal's page cannot show what was asked for. */
export const portalFailureCauses = [
  'report_not_accessible',
  'report_failed',
  'filters_not_applied',
] as const;

export const themes = ['light', 'dark', 'auto'] as const;

// Looser than a request's filters: whoever sends them on to a service has them checked there.
const filtersSchema = z.array(z.object({ key: z.string(), value: z.string() }));

/**
 * Where the reader is: enough to bring a fresh frame back to the same place. Filters are no part of
 * it: they are the host's, and a fresh URL is minted with those that it wants by then.
 */
export const frameStateSchema = z.object({
  /** Path of the portal's page, such as `/organizations/{id}/reports/{id}`. */
  path: z.string(),
  /** How far down the page is scrolled, in CSS pixels. */
  scroll: z.number(),
});

/** Window → parent, first thing in every document of the portal, error pages included. */
export const bootSchema = z.object({ portalEmbed: z.literal(1), type: z.literal('boot') });

/** Host → frame, in answer to each `boot`, with the port. */
export const connectSchema = z.object({
  portalEmbed: z.literal(1),
  type: z.literal('connect'),
  theme: z.enum(themes).optional(),
  /** Ask for `resized` messages. */
  autoHeight: z.boolean().optional(),
  /** Bring the reader back to this place. */
  state: frameStateSchema.optional(),
});

export const portalMessageSchema = z.discriminatedUnion('type', [
  /**
   * The page has drawn what it was opened for, or again: what `set-filters` asked for.
   * `unappliedFilters` are keys that no column answers to.
   */
  z.object({ type: z.literal('ready'), unappliedFilters: z.array(z.string()) }),
  /** The host hands the place on as it is, in `connect` or as it comes, and there it is checked. */
  z.object({ type: z.literal('state'), state: z.custom<FrameState>().optional() }),
  /** The reader opened a report, or (`null`) the overview. */
  z.object({ type: z.literal('navigated'), path: z.string(), reportId: z.string().nullable() }),
  /** Height of the content in CSS pixels. */
  z.object({ type: z.literal('resized'), height: z.number() }),
  /** A reason that the host does not know, of a newer portal, is no reason to stay blank. */
  z.object({
    type: z.literal('session-required'),
    reason: z.custom<SessionRequiredReason>().optional(),
  }),
  z.object({ type: z.literal('failed'), cause: z.enum(portalFailureCauses) }),
]);

export const hostMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set-filters'), filters: filtersSchema }),
  /** Without a theme it is the portal's own choice again. */
  z.object({ type: z.literal('set-theme'), theme: z.enum(themes).optional() }),
  /**
   * Handed on from the frame on show, where the reader goes on while this one is on its way: go there
   * too. A page that does not know it stays where `connect` has brought it.
   */
  z.object({ type: z.literal('state'), state: frameStateSchema }),
  z.object({ type: z.literal('refresh-data') }),
]);

export type SessionRequiredReason = (typeof sessionRequiredReasons)[number];
export type PortalFailureCause = (typeof portalFailureCauses)[number];
export type Theme = (typeof themes)[number];
export type FrameState = z.infer<typeof frameStateSchema>;
export type BootMessage = z.infer<typeof bootSchema>;
export type ConnectMessage = z.infer<typeof connectSchema>;
export type PortalMessage = z.infer<typeof portalMessageSchema>;
export type HostMessage = z.infer<typeof hostMessageSchema>;

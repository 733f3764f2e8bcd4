import { z } from 'zod';

/**
 * The frame channel between the component in the host page and the portal's page in its iframe.
 * `boot` and `connect` are window messages, and `connect` transfers a MessagePort for all other
 * messages. `frame/guards.ts` checks the same shapes without zod.
 */

/** Why the portal's page needs a new identity URL. */
export const sessionRequiredReasons = [
  'used',
  'expired',
  'unknown',
  'reloaded',
  'session-ended',
  /** A script of the page is missing, so only another document can show the report. */
  'incomplete',
] as const;

/** Why the portal's page cannot show the requested report. */
export const portalFailureCauses = [
  'report_not_accessible',
  'report_failed',
  'filters_not_applied',
  'blocked_by_portal',
] as const;

/** The files that a reader can save of a tile. */
export const fileFormats = ['csv', 'xlsx', 'png'] as const;

export const themes = ['light', 'dark', 'auto'] as const;

/**
 * The reader's position, which a new document restores. It has no filters, because the host passes its
 * current filters with each new URL.
 */
export const frameStateSchema = z.object({
  /** Path of the portal's page, such as `/organizations/{id}/reports/{id}`. */
  path: z.string(),
  /** Vertical scroll position in CSS pixels. */
  scroll: z.number(),
  /** Index of the report's page. Default: 0, the first. */
  page: z.int().nonnegative().optional(),
});

/** Window → parent: the first message of every document of the portal, including error pages. */
export const bootSchema = z.object({
  portalEmbed: z.literal(1),
  type: z.literal('boot'),
  /** The messages that this document takes in addition to `set-options`: `open`, or none. */
  accepts: z.array(z.string()).optional(),
});

/** The number of an `open`. `undefined` in messages about the URL that the document was loaded from. */
const openIdSchema = z.number().optional();

/** What the host wants of the page, in `connect` and in each `set-options`. */
export const frameOptionsSchema = z.object({
  /** Default: the portal chooses. */
  theme: z.enum(themes).optional(),
  /** `#rrggbb`. The page ignores other text. Default: the organization's accent color. */
  accentColor: z.string().optional(),
  /** BCP 47 tag. The page ignores other text. Default: the languages of the reader's browser. */
  locale: z.string().optional(),
  /** Requests `resized` messages. */
  autoHeight: z.boolean().optional(),
});

/** Host → frame: answers each `boot` and transfers the port. */
export const connectSchema = frameOptionsSchema.extend({
  portalEmbed: z.literal(1),
  type: z.literal('connect'),
  /** The position to restore. */
  state: frameStateSchema.optional(),
});

export const portalMessageSchema = z.discriminatedUnion('type', [
  /** The page has drawn the report. `unappliedFilters` are the keys that match no column. */
  z.object({
    type: z.literal('ready'),
    id: openIdSchema,
    unappliedFilters: z.array(z.string()),
  }),
  /** The reader moved. The host passes `state` on unchecked; the page that receives it checks it. */
  z.object({ type: z.literal('state'), state: z.custom<FrameState>().optional() }),
  /** The reader opened a report, or the overview (`null`). */
  z.object({ type: z.literal('navigated'), path: z.string(), reportId: z.string().nullable() }),
  /** Height of the content in CSS pixels. */
  z.object({ type: z.literal('resized'), height: z.number() }),
  /** The host accepts unknown reasons, because newer portals may send them. */
  z.object({
    type: z.literal('session-required'),
    id: openIdSchema,
    reason: z.custom<SessionRequiredReason>().optional(),
  }),
  z.object({ type: z.literal('failed'), id: openIdSchema, cause: z.enum(portalFailureCauses) }),
  /** The reader has taken a copy of what is shown. */
  z.object({
    type: z.literal('exported'),
    // Newer portals may have other formats.
    format: z.custom<ExportFormat>((value) => typeof value === 'string'),
    reportId: z.string(),
  }),
  /** The reader pressed a key that nothing in the page used. */
  z.object({ type: z.literal('key'), key: z.literal('Escape') }),
  /** The document ends: the frame loads another one, or is moved or removed. */
  z.object({ type: z.literal('leaving') }),
  /** This document cannot show the report of an `open`. The host opens the unspent URL in a new frame. */
  z.object({ type: z.literal('reopen'), id: z.number() }),
]);

export const hostMessageSchema = z.discriminatedUnion('type', [
  /**
   * Redeems the identity URL and shows its report in this document. The answer is `ready`, `failed`,
   * `session-required` or `reopen` with the same `id`.
   */
  z.object({ type: z.literal('open'), url: z.string(), id: z.number() }),
  /** Replaces all options. */
  frameOptionsSchema.extend({ type: z.literal('set-options') }),
  /** Saves a tile of the shown page as a file of the reader's browser. */
  z.object({
    type: z.literal('export'),
    format: z.enum(fileFormats),
    /** The title of the tile. Default: the first tile of the page that has values. */
    tile: z.string().optional(),
  }),
  /** Opens the browser's print dialog for the shown page. */
  z.object({ type: z.literal('print') }),
]);

export type SessionRequiredReason = (typeof sessionRequiredReasons)[number];
export type PortalFailureCause = (typeof portalFailureCauses)[number];
export type FileFormat = (typeof fileFormats)[number];
/** How a reader takes a copy of what is shown. */
export type ExportFormat = FileFormat | 'print';
export type Theme = (typeof themes)[number];
export type FrameState = z.infer<typeof frameStateSchema>;
export type FrameOptions = z.infer<typeof frameOptionsSchema>;
export type BootMessage = z.infer<typeof bootSchema>;
export type ConnectMessage = z.infer<typeof connectSchema>;
export type PortalMessage = z.infer<typeof portalMessageSchema>;
export type HostMessage = z.infer<typeof hostMessageSchema>;

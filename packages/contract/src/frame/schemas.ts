import { z } from 'zod';

import { maxViewLength } from './checks.ts';

/**
 * The frame channel between the component in the host page and the portal's page in its iframe.
 * `boot` and `connect` are window messages, and `connect` transfers a MessagePort for all other
 * messages. The guards beside this file check the same shapes without zod.
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
  /** The host's page requires isolated frames, and the browser cannot isolate the report's. */
  'blocked_by_host',
] as const;

/** The files that a reader can save of a tile. */
export const fileFormats = ['csv', 'xlsx', 'png'] as const;

export const themes = ['light', 'dark', 'auto'] as const;

/**
 * What the reader sees, as text that only the page reads: the report, its page, and what the reader has
 * filtered, selected, sorted and drilled. It has no filters of the host, which come with each new URL.
 * Empty: what the URL opens, as it opens. Its letters need no escapes in a URL.
 */
const viewSchema = z.string();

/** Vertical scroll position in CSS pixels. */
const scrollSchema = z.number();

/** Window → parent: the first message of every document of the portal, including error pages. */
export const bootSchema = z.object({
  portalEmbed: z.literal(1),
  type: z.literal('boot'),
  /** The messages that this document takes in addition to `set-options`: `open`, or none. */
  accepts: z.array(z.string()).optional(),
});

/** The number of an `open`. `undefined` in messages about the URL that the document was loaded from. */
const openIdSchema = z.number().optional();

/** The look of the page. The page ignores values that it does not know. */
export const lookSchema = z.object({
  /** A font that the portal has: `system`, `inter` or `source-serif`. */
  font: z.string().optional(),
  /** Roundness of corners: `none`, `small`, `medium` or `large`. */
  radius: z.string().optional(),
  /** Room around texts: `compact`, `normal` or `spacious`. */
  density: z.string().optional(),
  /** Colors of series, as `#rrggbb`, the first ones of ten. */
  palette: z.array(z.string()).optional(),
});

/** What the host wants of the page, in `connect` and in each `set-options`. */
export const frameOptionsSchema = z.object({
  /** The color scheme, or with it the look. Default: the portal and the organization choose. */
  theme: z
    .union([z.enum(themes), lookSchema.extend({ mode: z.enum(themes).optional() })])
    .optional(),
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
  /** What the page restores. */
  view: viewSchema.optional(),
  scroll: scrollSchema.optional(),
});

export const portalMessageSchema = z.discriminatedUnion('type', [
  /** The page has drawn the report. `unappliedFilters` are the keys that match no column. */
  z.object({
    type: z.literal('ready'),
    id: openIdSchema,
    unappliedFilters: z.array(z.string()),
  }),
  /** The reader has changed the view, or scrolled. A view that the host has set comes back as it is. */
  z.object({
    type: z.literal('view'),
    id: openIdSchema,
    view: viewSchema.max(maxViewLength),
    scroll: scrollSchema,
  }),
  /** The reader opened a report, or the overview (`null`). */
  z.object({ type: z.literal('navigated'), path: z.string(), reportId: z.string().nullable() }),
  /** The reader has selected marks of a chart, which filter the other tiles; no values: none any more. */
  z.object({
    type: z.literal('selected'),
    field: z.string(),
    values: z.array(z.custom<MarkValue>()),
    /** The values are the starts of periods of this length, such as `month`. */
    grain: z.string().optional(),
  }),
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
  /** This document cannot show the report of an `open`. The host opens the unused URL in a new frame. */
  z.object({ type: z.literal('reopen'), id: z.number() }),
]);

export const hostMessageSchema = z.discriminatedUnion('type', [
  /**
   * Redeems the identity URL and shows its report in this document. The answer is `ready`, `failed`,
   * `session-required` or `reopen` with the same `id`. `view` applies if the URL opens another report
   * than the previous one: otherwise the reader's own view stays.
   */
  z.object({
    type: z.literal('open'),
    url: z.string(),
    id: z.number(),
    view: viewSchema.optional(),
  }),
  /** Shows a view in this document, without a new URL. */
  z.object({ type: z.literal('set-view'), view: viewSchema }),
  /** Replaces all options. */
  frameOptionsSchema.extend({ type: z.literal('set-options') }),
  /** Saves a tile of the shown page as a file of the reader's browser. */
  z.object({
    type: z.literal('export'),
    format: z.enum(fileFormats),
    /** The title of the tile. Default: the first tile of the page that has values. */
    tile: z.string().optional(),
  }),
  /** Opens the browser's print dialog for all pages of the shown report. */
  z.object({ type: z.literal('print') }),
]);

export type SessionRequiredReason = (typeof sessionRequiredReasons)[number];
export type PortalFailureCause = (typeof portalFailureCauses)[number];
export type FileFormat = (typeof fileFormats)[number];
/** How a reader takes a copy of what is shown. `other`: by a command of another product's report. */
export type ExportFormat = FileFormat | 'print' | 'other';
export type Theme = (typeof themes)[number];
export type Look = z.infer<typeof lookSchema>;
/** A look with its color scheme. Default of `mode`: `auto`. */
export type ThemeLook = Look & { mode?: Theme | undefined };
/** The value of a mark; `null` is blank. */
export type MarkValue = string | number | boolean | null;
export type FrameOptions = z.infer<typeof frameOptionsSchema>;
export type BootMessage = z.infer<typeof bootSchema>;
export type ConnectMessage = z.infer<typeof connectSchema>;
export type PortalMessage = z.infer<typeof portalMessageSchema>;
export type HostMessage = z.infer<typeof hostMessageSchema>;

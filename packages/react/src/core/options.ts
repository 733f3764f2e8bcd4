import type { CustomFilter, HostRequest, HostResponse } from '@portal-embed/contract';
import type { FrameOptions, PortalMessage, Theme, ThemeLook } from '@portal-embed/contract/frame';

import type { EmbedError } from './error.ts';

/** The state of an embed. `refreshing` shows the previous report. */
export type EmbedState =
  | { status: 'idle' | 'minting' | 'loading' | 'ready' | 'refreshing'; error?: undefined }
  | { status: 'failed'; error: EmbedError };

/** The page has drawn its report. */
export interface ReadyEvent {
  /** The portal does not use the frame channel, so only the load of its page is known. */
  unverified?: true;
  /** Keys of filters that match no column of the report. */
  unappliedFilters: string[];
}

export type NavigateEvent = Omit<Extract<PortalMessage, { type: 'navigated' }>, 'type'>;

export type SelectEvent = Omit<Extract<PortalMessage, { type: 'selected' }>, 'type'>;

export type ExportEvent = Omit<Extract<PortalMessage, { type: 'exported' }>, 'type'>;

/**
 * Fetches an identity URL instead of the default POST. Pass the signal to the request. Return the
 * `Response` or its parsed body. Errors of HTTP libraries are understood if they have `status`, or
 * `response` with `status` and `data`.
 */
export type FetchIdentityUrl = (
  request: HostRequest,
  init: { signal: AbortSignal },
) => Promise<Response | Pick<HostResponse, 'embedUrl'>>;

/** Options of an embed. A changed `reportId`, flag or filter fetches a new URL. */
export interface EmbedOptions extends HostRequest {
  /** Path of the host endpoint. A change applies to the next fetch. Default: `/portal-embed/url`. */
  endpoint?: string | undefined;
  /**
   * Address of the portal. The embed loads the portal's page while it requests the URL. If the portal
   * has no such page, the embed opens only the URL. Default: the portal that answered earlier on this
   * page through the same `endpoint`, if any.
   */
  portalUrl?: string | undefined;
  /**
   * Replaces the POST to `endpoint`, for example to send an auth header. A change applies to the
   * next fetch. Default: the POST.
   */
  fetchIdentityUrl?: FetchIdentityUrl | undefined;
  /** The frame's accessible name. Default: `Report`. */
  title?: string | undefined;
  /** Fetches URLs only while the embed is in view, except for `refresh()`. Default: false. */
  lazy?: boolean | undefined;
  /**
   * Time between refreshes in milliseconds. Such a refresh waits until the embed is visible. Default,
   * and for values that are not positive: no refreshes.
   */
  refreshInterval?: number | undefined;
  /** Makes the embed as high as the report. Default: false. */
  autoHeight?: boolean | undefined;
  /** Maximum height of `autoHeight`, in CSS pixels. Default: no limit. */
  maxHeight?: number | undefined;
  /**
   * Color scheme of the portal's page, or an object with its look: `mode`, `font` (`system`, `inter` or
   * `source-serif`), `radius` (`none`, `small`, `medium` or `large`), `density` (`compact`, `normal` or
   * `spacious`) and `palette`, the colors of series as `#rrggbb`. The page adapts colors that would be hard to
   * see. Default: the portal and the organization choose.
   */
  theme?: Theme | ThemeLook | undefined;
  /**
   * Color of charts and marks in the portal's page, as `#rrggbb`. The page darkens or lightens a color
   * that would be hard to see. Default, and for other text: the organization's color.
   */
  accentColor?: string | undefined;
  /**
   * BCP 47 tag, such as `de-AT`, for the texts, numbers, currencies and dates of the portal's page.
   * Default, and for an invalid tag: the languages of the reader's browser.
   */
  locale?: string | undefined;
  /**
   * What the reader sees in the report: page, filters, selected marks, levels and order. Pass the latest
   * value of `onViewChange`, for example from your page's URL. A changed value is shown at once, without
   * a request; `''` is the report as it opens. A view that does not fit the report is not shown, and the
   * page says so. It can only choose what the reader could choose. Default: the reader's own view.
   */
  view?: string | undefined;
  /** The first `view`, for readers who then change it by themselves. Later values are ignored. */
  initialView?: string | undefined;
  /**
   * How to treat a page that loads without the frame channel, if the portal does not announce the
   * channel: `auto` as ready, `required` as the failure `not_answering`. Default: `auto`.
   */
  handshake?: 'auto' | 'required' | undefined;
  /**
   * Time limit of the request and of the frame, each, in milliseconds. It applies to each of up to
   * four attempts. Waiting for other embeds of the page does not count. Values that are not positive,
   * or are 2e9 (23 days) or more, mean no limit. Default: 30,000.
   */
  timeout?: number | undefined;

  /** The report has become visible: at first, after a failure, or in a new frame. */
  onReady?: ((event: ReadyEvent) => void) | undefined;
  /** The reader opened another report, or the overview (`reportId` is null). */
  onNavigate?: ((event: NavigateEvent) => void) | undefined;
  /** The reader has changed the view. Pass it back in `view` or `initialView`: at most 6,000 characters. */
  onViewChange?: ((view: string) => void) | undefined;
  /** The reader has selected marks of a chart, or none any more (`values` is empty). */
  onSelect?: ((event: SelectEvent) => void) | undefined;
  /** The portal has handed a file, or a page to print, to the browser. The browser may still refuse it. */
  onExport?: ((event: ExportEvent) => void) | undefined;
  /** The visible report was drawn again in its frame, after a refresh or a change. */
  onRefresh?: ((event: ReadyEvent) => void) | undefined;
  /**
   * A load or refresh failed after its retries. After a failed refresh the previous report stays
   * visible, unless the reader may not see it any more.
   */
  onError?: ((error: EmbedError) => void) | undefined;
  /**
   * The reader asks for access. With this callback, the default UI shows a button if the reader may
   * not see the report.
   */
  onRequestAccess?: ((error: EmbedError) => void) | undefined;
  onStateChange?: ((state: EmbedState) => void) | undefined;
}

/** Serializes the body of the request. Equal requests have equal texts. */
export const serializeRequest = (options: HostRequest) =>
  JSON.stringify(options, [
    'embed',
    'reportId',
    'hideMenu',
    'hideNavbar',
    'hideSidebar',
    'customFilters',
    'key',
    'value',
  ] satisfies (keyof HostRequest | keyof CustomFilter)[]);

/** Serializes the options that the portal's page applies. */
export const serializeFrameOptions = (options: FrameOptions) =>
  JSON.stringify(options, [
    'theme',
    'accentColor',
    'locale',
    'autoHeight',
    'mode',
    'font',
    'radius',
    'density',
    'palette',
  ] satisfies (keyof FrameOptions | keyof ThemeLook)[]);

/** The color scheme of a theme, for the style of the embed itself. */
export const schemeOf = (theme: FrameOptions['theme']): 'light' | 'dark' | undefined => {
  const mode = typeof theme === 'object' ? theme.mode : theme;
  return mode === 'auto' ? undefined : mode;
};

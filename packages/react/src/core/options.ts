import type { CustomFilter, HostRequest, HostResponse } from '@portal-embed/contract';
import type { PortalMessage, Theme } from '@portal-embed/contract/frame';

import type { EmbedError } from './error.ts';

/** What the embed is doing. `refreshing` still shows the previous frame. */
export type EmbedState =
  | { status: 'idle' | 'minting' | 'loading' | 'ready' | 'refreshing'; error?: undefined }
  | { status: 'failed'; error: EmbedError };

/** What a fresh frame says when it has drawn its report. */
export interface ReadyEvent {
  /** The portal does not speak the frame channel: its page has loaded, no more is known. */
  unverified?: true;
  /** Keys of filters that no column of the report answers to. */
  unappliedFilters: string[];
}

export type NavigateEvent = Omit<Extract<PortalMessage, { type: 'navigated' }>, 'type'>;

/**
 * Gets an identity URL by other means than the default POST. Give the signal to the request.
 * A `Response` is read like the host endpoint's own; otherwise return its decoded body. Throw what
 * your HTTP library throws: a `status`, or a `response` with `status` and `data`, is understood.
 */
export type FetchIdentityUrl = (
  request: HostRequest,
  init: { signal: AbortSignal },
) => Promise<Response | Pick<HostResponse, 'embedUrl'>>;

/** What to show, and how. A change of `reportId`, a flag or a filter fetches a fresh URL. */
export interface EmbedOptions extends HostRequest {
  /** Path of the host endpoint. Default `/portal-embed/url`. Another one is asked at the next fetch. */
  endpoint?: string | undefined;
  /**
   * Replaces the POST to `endpoint`, for example to send an auth header. Another one is asked at the
   * next fetch.
   */
  fetchIdentityUrl?: FetchIdentityUrl | undefined;
  /** The frame's accessible name. Default `Report`. */
  title?: string | undefined;
  /** Fetch no URL while the embed is out of view, be it the first or a fresh one. Default false. */
  lazy?: boolean | undefined;
  /**
   * Replace the frame by a fresh one every so many milliseconds, but not while nobody sees it.
   * Default: never, as with what is not above 0.
   */
  refreshInterval?: number | undefined;
  /** Be as high as the report. Default false. */
  autoHeight?: boolean | undefined;
  /** Most that `autoHeight` may take, in CSS pixels. Default: no limit. */
  maxHeight?: number | undefined;
  /** Colours of the portal's page. Default: the portal's own choice. */
  theme?: Theme | undefined;
  /**
   * Whether a portal must speak the frame channel. `auto` (default) takes a page that loads and says
   * nothing for ready; `required` fails with `not_answering`.
   */
  handshake?: 'auto' | 'required' | undefined;
  /**
   * Patience with the host endpoint and with the frame, each, at each of up to four attempts, in
   * milliseconds. A wait for other embeds of the page does not count. Default 30 000. What is not
   * above 0, or is 2e9 (23 days) or more, is no limit.
   */
  timeout?: number | undefined;

  /** The report is on show, for the first time or after a failure. */
  onReady?: ((event: ReadyEvent) => void) | undefined;
  /** The reader opened another report, or (`reportId` null) the overview. */
  onNavigate?: ((event: NavigateEvent) => void) | undefined;
  /** A fresh frame has replaced the previous one, or shows filters that were changed in place. */
  onRefresh?: ((event: ReadyEvent) => void) | undefined;
  /**
   * Something failed for good. A failed refresh leaves the previous frame on show; so do filters that
   * the portal cannot apply in place, of which its page then tells the reader.
   */
  onError?: ((error: EmbedError) => void) | undefined;
  onStateChange?: ((state: EmbedState) => void) | undefined;
}

/** The part of the options that the host endpoint is asked for, as JSON: comparable by value. */
export const toRequest = (options: HostRequest) =>
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

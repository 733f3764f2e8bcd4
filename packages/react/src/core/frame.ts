import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  FrameOptions,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { createIframe } from './iframe.ts';
import { isolated, portals, shells, switchIsolation } from './known-portals.ts';
import type { FrameFailureCause } from './messages.ts';
import { parsePageUrl } from './mint.ts';
import type { MintedUrl } from './mint.ts';
import { serializeFrameOptions } from './options.ts';
import type { EmbedOptions, ReadyEvent } from './options.ts';
import { watchSilence } from './silence.ts';
import { findWindow } from './window.ts';

export interface FrameHandlers {
  onReady: (event: ReadyEvent) => void;
  /** The page answers that it cannot show the report. */
  onFailed: (cause: FrameFailureCause) => void;
  /**
   * The page cannot open or refresh the report. `isVisible`: it still shows the previous data.
   * `cause` is absent if a new document replaces the page.
   */
  onLost: (cause?: FrameFailureCause, isVisible?: boolean) => void;
}

/** What a frame contains, from its load until another frame replaces it. */
interface Page {
  readonly iframe: HTMLIFrameElement;
  /** The source of the frame is the shell. */
  readonly isShell: boolean;
  /** The page was asked for with an embedder policy. */
  readonly isIsolated: boolean;
  readonly silence: ReturnType<typeof watchSilence>;
  /**
   * `silent`: no document has sent `boot`. `openable`: the document accepts `open`. `fixed`: it shows
   * only the URL from which it was loaded.
   */
  state: 'silent' | 'openable' | 'fixed';
  /** The shell has shown no report, so it can wait for a URL. It may still be loading. */
  isWaiting: boolean;
  isShown?: boolean | undefined;
  port?: MessagePort;
  /** The URL that waits for the shell. */
  pending?: URL | undefined;
  /** The latest `open`; `undefined` if the document itself was loaded from a URL. */
  opened?: { url: URL; id: number } | undefined;
  /** The page shows another report than the requested one, so its views do not matter. */
  isOtherReport?: boolean;
  /** Height of the report in CSS pixels. */
  height?: number;
}

/** Whether the message answers the latest URL. */
const isCurrent = (page: Page, { id }: { id?: number | undefined }) => id === page.opened?.id;
const readFrameOptions = (options: EmbedOptions) =>
  JSON.parse(serializeFrameOptions(options)) as FrameOptions;

/**
 * The one frame of an embed. A URL is opened in place if the current document accepts that. Otherwise
 * the frame is replaced by one that has the URL as its source.
 */
export class Frame {
  readonly #handlers: FrameHandlers;
  #container!: HTMLElement;
  #window!: typeof window;
  #options: EmbedOptions = {};
  /** `undefined` if there is no frame. */
  #page: Page | undefined;
  /** The origin of the current or latest frame. */
  origin = '';
  /** The origin whose pages send `boot`. A silent page of this origin is an error page. */
  #channelOrigin: string | undefined;
  #lastId = 0;
  /** What the reader sees, for a document that replaces the current one. */
  #position: Pick<ConnectMessage, 'view' | 'scroll'> | undefined;

  constructor(handlers: FrameHandlers) {
    this.#handlers = handlers;
  }

  get iframe() {
    return this.#page?.iframe;
  }

  /** The current document belongs to the portal. */
  get hasBooted() {
    return !!this.#page && this.#page.state !== 'silent';
  }

  /** Sets the element that contains the frame. `signal` ends the listener of the frame. */
  mount(container: HTMLElement, signal: AbortSignal) {
    this.#container = container;
    this.#window = findWindow(container.ownerDocument);
    this.#window.addEventListener('message', (event) => this.#handleBoot(event), { signal });
  }

  update(options: EmbedOptions) {
    const previous = this.#options;
    this.#options = options;
    // A page that boots later gets the options in `connect`.
    if (serializeFrameOptions(options) !== serializeFrameOptions(previous))
      this.send({ type: 'set-options', ...readFrameOptions(options) });
    this.#render();
    if (!this.#position) return;
    const { reportId, view } = options;
    if (reportId !== previous.reportId) {
      // The page gets the view together with the URL.
      this.#position = { view };
      if (this.#page) this.#page.isOtherReport = true;
    } else if (view !== undefined && view !== previous.view && view !== this.#position.view) {
      this.#position = { view };
      this.send({ type: 'set-view', view });
    }
  }

  /** Starts to load the shell if there is no frame. Call it when the URL is requested. */
  preload() {
    if (this.#page) return;
    const { endpoint, portalUrl = portals.get(endpoint) } = this.#options;
    let shell: URL;
    try {
      shell = parsePageUrl('/embed', portalUrl);
    } catch {
      return;
    }
    if (shells.get(shell.origin) !== false) this.#load(shell, true);
  }

  /** Opens a URL in the current document, in the shell that is still loading, or in a new frame. */
  open({ url, frameChannel }: MintedUrl) {
    if (frameChannel) this.#channelOrigin = url.origin;
    this.#openUrl(url);
  }

  send(message: HostMessage) {
    this.#page?.port?.postMessage(message);
  }

  /** Shows or hides the frame. Closes a hidden frame that is not loading or waiting for a URL. */
  setShown(isShown: boolean | undefined, isLoading: boolean) {
    const page = this.#page;
    if (!page) return;
    page.isShown = isShown;
    if (!isLoading) page.pending = undefined;
    if (isShown || isLoading || page.isWaiting) this.#render();
    else this.close();
  }

  close() {
    const page = this.#page;
    if (!page) return;
    page.silence.close();
    page.port?.close();
    page.iframe.remove();
    this.#page = undefined;
  }

  #render() {
    if (!this.#page) return;
    const { iframe, isShown, height } = this.#page;
    const { title, autoHeight, maxHeight } = this.#options;
    iframe.title = title ?? 'Report';
    iframe.inert = !isShown;
    // Hidden by opacity only, because a frame that is not painted never becomes ready.
    iframe.style.setProperty('opacity', isShown ? '1' : '0', 'important');
    if (height && autoHeight)
      this.#container.style.height = `${Math.min(height, maxHeight ?? height)}px`;
  }

  #openUrl(url: URL) {
    const page = this.#page;
    if (!page || this.origin !== url.origin) this.#load(url);
    else if (page.state === 'openable') {
      page.pending = undefined;
      page.isOtherReport = false;
      const id = ++this.#lastId;
      page.opened = { url, id };
      this.send({ type: 'open', url: url.href, id, view: this.#position?.view });
    } else if (page.isWaiting) page.pending = url;
    else this.#load(url);
  }

  /** Replaces the frame. */
  #load(url: URL, isShell = false) {
    const isReplaced = !!this.#page;
    this.close();
    this.origin = url.origin;
    const src = new URL(url);
    const isIsolated = this.#window.crossOriginIsolated || isolated.has(url.origin);
    if (isIsolated) src.searchParams.set('isolated', '');
    const iframe = createIframe(this.#container.ownerDocument, src);
    this.#container.append(iframe);
    const page: Page = {
      iframe,
      isShell,
      isIsolated,
      state: 'silent',
      isWaiting: isShell,
      // During `append`, WebKit fires `load` for a frame that a policy blocks.
      silence: watchSilence(
        iframe,
        this.#window,
        url.origin,
        () => !page.isShown && page.state === 'silent',
        (cause, hasLoaded) => this.#handleSilence(page, cause, hasLoaded),
      ),
    };
    this.#page = page;
    this.#render();
    if (isReplaced) this.#handlers.onLost();
  }

  #handleBoot({ data, source, origin }: MessageEvent) {
    const page = this.#page;
    if (!page || source !== page.iframe.contentWindow || origin !== this.origin || !isBoot(data))
      return;
    const isUsed = page.state !== 'silent' && (page.opened || page.isShown);
    const isOpenable = !!data.accepts?.includes('open');
    page.silence.end();
    page.state = isOpenable ? 'openable' : 'fixed';
    page.isWaiting = page.isShell && isOpenable;
    page.opened = undefined;
    this.#channelOrigin = origin;
    if (isOpenable) portals.set(this.#options.endpoint, origin);
    if (page.isShell) shells.set(origin, isOpenable);
    this.#connect(page);
    // Before it is ready, a document that was loaded from a URL may navigate to another document.
    if (isUsed) this.#handlers.onLost('session_lost');
    if (page.pending) this.#openUrl(page.pending);
  }

  /** Gives the document a port for the other messages. */
  #connect(page: Page) {
    const channel = new MessageChannel();
    page.port?.close();
    page.port = channel.port1;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- `onmessage` starts the port
    page.port.onmessage = ({ data }) => {
      if (isPortalMessage(data)) this.#handleMessage(page, data);
    };
    this.#position ??= { view: this.#options.view ?? this.#options.initialView };
    page.iframe.contentWindow!.postMessage(
      {
        portalEmbed: 1,
        type: 'connect',
        ...readFrameOptions(this.#options),
        ...this.#position,
      } satisfies ConnectMessage,
      this.origin,
      [channel.port2],
    );
  }

  #handleMessage(page: Page, message: PortalMessage) {
    const handlers = this.#handlers;
    const options = this.#options;
    switch (message.type) {
      case 'ready':
      case 'failed':
        if (!isCurrent(page, message)) return;
        page.isWaiting = false;
        if (message.type === 'failed') handlers.onFailed(message.cause);
        else handlers.onReady({ unappliedFilters: message.unappliedFilters });
        break;
      case 'session-required':
        // An incomplete page lacks a part of itself, so it cannot show any report.
        if (message.reason === 'incomplete') {
          this.close();
          handlers.onLost('session_lost');
        } else if (isCurrent(page, message))
          handlers.onLost('session_lost', message.reason === 'session-ended' || !!page.opened);
        break;
      case 'reopen':
        if (page.opened && isCurrent(page, message)) this.#load(page.opened.url);
        break;
      case 'view':
        if (isCurrent(page, message) && !page.isOtherReport) {
          const { view, scroll } = message;
          const isChanged = view !== (this.#position!.view ?? '');
          this.#position = { view, scroll };
          if (isChanged) void invokeCallback(options.onViewChange, view);
        }
        break;
      case 'leaving':
        page.silence.start();
        break;
      case 'resized':
        page.height = message.height;
        this.#render();
        break;
      case 'key':
        page.iframe.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: message.key,
            bubbles: true,
            cancelable: true,
            composed: true,
          }),
        );
        break;
      case 'navigated':
        void invokeCallback(options.onNavigate, message);
        break;
      case 'selected':
        void invokeCallback(options.onSelect, message);
        break;
      case 'exported':
        void invokeCallback(options.onExport, message);
        break;
    }
  }

  /** No document has sent `boot`, or the one after `leaving` has not. */
  #handleSilence(page: Page, cause: FrameFailureCause, hasLoaded?: boolean) {
    const { origin } = this;
    const isSilent = page.state === 'silent';
    const isFirst = isSilent && page.isWaiting;
    const isPortal = this.#channelOrigin === origin;
    // Another embed may have switched since this page was loaded.
    const isOutdated = isolated.has(origin) && !page.isIsolated;
    const isSwitched =
      cause === 'not_answering' &&
      isSilent &&
      (isFirst || isPortal) &&
      (isOutdated || !shells.get(origin)) &&
      switchIsolation(origin, page.isIsolated);
    // A document that was replaced cannot open a URL, even if it has sent `boot`.
    page.isWaiting = false;
    if (isFirst) {
      if (isSwitched) {
        this.close();
        this.preload();
      } else if (cause !== 'unreachable') shells.set(origin, false);
      if (page.pending) this.#openUrl(page.pending);
    } else if (cause !== 'not_answering' || isPortal || this.#options.handshake === 'required')
      this.#handlers.onLost(cause);
    else if (hasLoaded) this.#handlers.onReady({ unappliedFilters: [], unverified: true });
  }
}

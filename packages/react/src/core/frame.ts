import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  FrameOptions,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import type { FrameFailureCause } from './messages.ts';
import { parsePageUrl } from './mint.ts';
import type { MintedUrl } from './mint.ts';
import { serializeFrameOptions } from './options.ts';
import type { EmbedOptions, ReadyEvent } from './options.ts';
import { watchSilence } from './silence.ts';

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

type Handlers = {
  [Type in PortalMessage['type']]: (message: Extract<PortalMessage, { type: Type }>) => void;
};

// Shared by all embeds of the page.
/** Whether an origin has a shell: the viewer page without a session (`/embed`). */
const shells = new Map<string, boolean>();
/**
 * Origins that answer but sent no `boot`. The host page may have an embedder policy, so that it frames
 * only pages with such a policy, which these are asked for.
 */
const isolated = new Set<string>();
/** For each host endpoint, the latest portal whose page accepted `open`. */
const portals = new Map<string | undefined, string>();

/**
 * The host's style sheet may have rules for all frames, even with `!important`. `pointer-events` is not
 * set, because the host may disable them while the reader drags something across the frame.
 */
const frameStyle = `
  display: block;
  visibility: inherit;
  position: absolute;
  inset: 0;
  float: none;
  width: 100%;
  height: 100%;
  min-width: 0;
  min-height: 0;
  max-width: none;
  max-height: none;
  margin: 0;
  padding: 0;
  border: 0;
  transform: none;
  clip-path: none;
  transition: none;
`.replaceAll(';', ' !important;');

/** Returns the window of a document. A document that another one has replaced has none. */
export const findWindow = ({ defaultView }: Document) => defaultView ?? window;

/**
 * The one frame of an embed. A URL is opened in place if the current document accepts that. Otherwise
 * the frame is replaced by one that has the URL as its source.
 */
export function createFrame(
  onReady: FrameHandlers['onReady'],
  onFailed: FrameHandlers['onFailed'],
  onLost: FrameHandlers['onLost'],
) {
  let container: HTMLElement;
  let hostWindow: typeof window;
  let options: EmbedOptions = {};
  let element: HTMLIFrameElement | undefined;
  /** The origin of the frame. */
  let origin: string | undefined;
  let silence: ReturnType<typeof watchSilence> | undefined;
  let port: MessagePort | undefined;
  /** Whether the current document accepts `open`; `undefined` before its `boot`. */
  let acceptsOpen: boolean | undefined;
  /** The source of the frame is the shell. */
  let isShell: boolean | undefined;
  /** The shell has shown no report, so it can wait for a URL. It may still be loading. */
  let isWaiting: boolean | undefined;
  /** The URL of the latest `open`; `undefined` if the document itself was loaded from a URL. */
  let opened: URL | undefined;
  /** The URL that waits for the shell. */
  let pending: URL | undefined;
  let lastId = 0;
  /** The origin whose pages send `boot`. A silent page of this origin is an error page. */
  let channelOrigin: string | undefined;
  /** Height of the report in CSS pixels. */
  let height: number | undefined;
  /** What the reader sees, for a document that replaces the current one. */
  let position: Pick<ConnectMessage, 'view' | 'scroll'> | undefined;
  /** The page shows another report than the requested one, so its views do not matter. */
  let isOtherReport: boolean | undefined;
  let isVisible: boolean | undefined;

  const send = (message: HostMessage) => port?.postMessage(message);

  const readFrameOptions = () => JSON.parse(serializeFrameOptions(options)) as FrameOptions;

  const render = () => {
    if (element) {
      element.title = options.title ?? 'Report';
      element.inert = !isVisible;
      // Hidden by opacity only, because a frame that is not painted never becomes ready.
      element.style.setProperty('opacity', isVisible ? '1' : '0', 'important');
    }
    if (height && options.autoHeight)
      container.style.height = `${Math.min(height, options.maxHeight ?? height)}px`;
  };

  const close = () => {
    silence?.close();
    port?.close();
    element?.remove();
    element =
      port =
      acceptsOpen =
      pending =
      opened =
      height =
      isShell =
      isWaiting =
      isOtherReport =
      isVisible =
        undefined;
  };

  const load = (src: URL) => {
    const isReplaced = element;
    close();
    ({ origin } = src);
    src = new URL(src);
    if (hostWindow.crossOriginIsolated || isolated.has(origin))
      src.searchParams.set('isolated', '');
    const { ownerDocument: document } = container;
    element = Object.assign(document.createElement('iframe'), {
      referrerPolicy: 'no-referrer',
      allow: 'fullscreen; clipboard-write',
      sandbox:
        'allow-downloads allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox',
      style: frameStyle,
      src,
    } as never) as HTMLIFrameElement;
    container.append(element);
    // During `append`, WebKit fires `load` for a frame that a policy blocks.
    silence = watchSilence(
      element,
      hostWindow,
      origin,
      () => !isVisible && acceptsOpen === undefined,
      handleSilence,
    );
    render();
    if (isReplaced) onLost();
  };

  const openPending = () => {
    if (!pending) return;
    const isSameOrigin = element && origin === pending.origin;
    if (isSameOrigin && acceptsOpen) {
      opened = pending;
      pending = undefined;
      isOtherReport = false;
      send({ type: 'open', url: opened.href, id: ++lastId, view: position?.view });
      // While the shell is loading, its `boot` or silence calls this function again.
    } else if (!isSameOrigin || !isWaiting) load(pending);
  };

  const handleBoot = ({ data, source, origin: sender }: MessageEvent) => {
    if (source !== element?.contentWindow || sender !== origin || !isBoot(data)) return;
    const isUsed = acceptsOpen !== undefined && (opened || isVisible);
    silence!.end();
    channelOrigin = origin;
    acceptsOpen = !!data.accepts?.includes('open');
    if (acceptsOpen) portals.set(options.endpoint, origin);
    if (isShell) shells.set(origin, acceptsOpen);
    opened = undefined;
    isWaiting = isShell && acceptsOpen;
    connect();
    // Before it is ready, a document that was loaded from a URL may navigate to another document.
    if (isUsed) onLost('session_lost');
    openPending();
  };

  const connect = () => {
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- `onmessage` starts the port
    port.onmessage = ({ data: message }) => {
      if (isPortalMessage(message)) handlers[message.type](message as never);
    };
    position ??= { view: options.view ?? options.initialView };
    element!.contentWindow!.postMessage(
      {
        portalEmbed: 1,
        type: 'connect',
        ...readFrameOptions(),
        ...position,
      } satisfies ConnectMessage,
      origin!,
      [channel.port2],
    );
  };

  /** The message answers the latest URL. */
  const isCurrent = ({ id }: { id?: number | undefined }) => id === (opened && lastId);

  const notify =
    <Name extends 'onNavigate' | 'onSelect' | 'onExport' | 'onViewChange'>(name: Name) =>
    (event: Parameters<NonNullable<EmbedOptions[Name]>>[0]) =>
      void invokeCallback(options[name] as (detail: typeof event) => void, event);

  const handlers: Handlers = {
    leaving: () => silence!.start(),
    'session-required'(message) {
      const { reason } = message;
      if (reason === 'incomplete') close();
      else if (!isCurrent(message)) return;
      onLost('session_lost', reason === 'session-ended' || !!opened);
    },
    ready(message) {
      if (!isCurrent(message)) return;
      isWaiting = false;
      onReady({ unappliedFilters: message.unappliedFilters });
    },
    failed(message) {
      if (!isCurrent(message)) return;
      isWaiting = false;
      onFailed(message.cause);
    },
    reopen(message) {
      if (isCurrent(message)) load(opened!);
    },
    view(message) {
      if (!isCurrent(message) || isOtherReport) return;
      const { view, scroll } = message;
      const isChanged = view !== (position!.view ?? '');
      position = { view, scroll };
      if (isChanged) notify('onViewChange')(view);
    },
    key: ({ key }) =>
      element!.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true }),
      ),
    resized(message) {
      ({ height } = message);
      render();
    },
    navigated: notify('onNavigate'),
    selected: notify('onSelect'),
    exported: notify('onExport'),
  };

  const handleSilence = (cause: FrameFailureCause, hasLoaded?: boolean) => {
    const hasBooted = acceptsOpen !== undefined;
    const isFirst = isWaiting && !hasBooted;
    const isPortal = channelOrigin === origin;
    // The second time, the reason was another one.
    const isIsolated =
      cause === 'not_answering' &&
      (isFirst || (isPortal && !hasBooted)) &&
      !shells.get(origin!) &&
      !hostWindow.crossOriginIsolated &&
      !isolated.delete(origin!) &&
      isolated.add(origin!);
    // A document that was replaced cannot open a URL, even if it has sent `boot`.
    isWaiting = false;
    if (isFirst && isIsolated) {
      const waiting = pending;
      close();
      preload();
      pending = waiting;
    } else if (isFirst) {
      if (cause !== 'unreachable') shells.set(origin!, false);
      openPending();
    } else if (cause !== 'not_answering' || isPortal || options.handshake === 'required')
      onLost(cause);
    else if (hasLoaded) onReady({ unappliedFilters: [], unverified: true });
  };

  /** Starts to load the shell if there is no frame. Call it when the URL is requested. */
  const preload = () => {
    if (element) return;
    const { endpoint, portalUrl = portals.get(endpoint) } = options;
    let shell;
    try {
      shell = parsePageUrl('/embed', portalUrl);
    } catch {
      return;
    }
    if (shells.get(shell.origin) === false) return;
    load(shell);
    isShell = isWaiting = true;
  };

  return {
    send,
    close,
    /** Sets the element that contains the frame. `lifetime` removes the listener of the frame. */
    mount(next: HTMLElement, lifetime: AbortController) {
      container = next;
      hostWindow = findWindow(next.ownerDocument);
      hostWindow.addEventListener('message', handleBoot, lifetime);
    },
    update(next: EmbedOptions) {
      const { reportId, view } = next;
      const previous = options;
      options = next;
      // A page that boots later gets the options in `connect`.
      if (serializeFrameOptions(next) !== serializeFrameOptions(previous))
        send({ type: 'set-options', ...readFrameOptions() });
      render();
      if (!position) return;
      if (reportId !== previous.reportId) {
        // The page gets the view together with the URL.
        position = { view };
        isOtherReport = true;
      } else if (view !== undefined && view !== previous.view && view !== position.view) {
        position = { view };
        send({ type: 'set-view', view });
      }
    },
    preload,
    /** Opens a URL. */
    open({ url, frameChannel }: MintedUrl) {
      if (frameChannel) channelOrigin = url.origin;
      pending = url;
      openPending();
    },
    /** Shows or hides the frame. Closes a hidden frame that is not loading or waiting for a URL. */
    setShown(next: boolean | undefined, isLoading: boolean) {
      isVisible = next;
      if (!isLoading) pending = undefined;
      if (isVisible || isLoading || isWaiting) render();
      else close();
    },
    get iframe() {
      return element;
    },
    get origin() {
      return origin;
    },
    /** The current document belongs to the portal. */
    get hasBooted() {
      return acceptsOpen !== undefined;
    },
  };
}

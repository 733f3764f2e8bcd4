import type { EmbedFailureCause, FrameOptions, FrameState } from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { openFrame } from './frame.ts';
import type { ConnectOptions, Frame, FrameEvent } from './frame.ts';
import { findUrlProblem } from './mint.ts';
import { serializeFrameOptions } from './options.ts';
import type { EmbedOptions, ReadyEvent } from './options.ts';

export interface PageHandlers {
  onReady: (event: ReadyEvent) => void;
  /** The page answers that it cannot show the report. */
  onFailed: (cause: EmbedFailureCause) => void;
  /**
   * The page cannot open or refresh the report. `isVisible`: it still shows the previous data.
   * `cause` is absent while a URL is being opened.
   */
  onLost: (cause?: EmbedFailureCause, isVisible?: boolean) => void;
}

// Shared by all embeds of the page.
/** Whether an origin has a shell. */
const shells = new Map<string, boolean>();
/** For each host endpoint, the latest portal whose page took `open`. */
const portals = new Map<string | undefined, string>();

/**
 * The one frame of an embed. A URL is opened in place if the current document accepts that. Otherwise
 * the frame is replaced by one that has the URL as its source.
 */
export function createPage(
  getOptions: () => EmbedOptions,
  onReady: PageHandlers['onReady'],
  onFailed: PageHandlers['onFailed'],
  onLost: PageHandlers['onLost'],
) {
  let container: HTMLElement;
  let frame: Frame | undefined;
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
  /** The reader's position, for a document that replaces the current one. */
  let position: FrameState | undefined;

  const connect = (): ConnectOptions => ({
    ...(JSON.parse(serializeFrameOptions(getOptions())) as FrameOptions),
    state: position,
  });

  const applyOptions = () => {
    const { title = 'Report', autoHeight, maxHeight = height } = getOptions();
    if (frame) frame.element.title = title;
    if (height && autoHeight) container.style.height = `${Math.min(height, maxHeight!)}px`;
  };

  const close = () => {
    frame?.close();
    frame = pending = opened = height = isShell = isWaiting = undefined;
  };

  const load = (src: URL) => {
    const isReplaced = frame;
    close();
    frame = openFrame(container, src, connect, handleEvent, handleSilence);
    applyOptions();
    if (isReplaced) onLost();
  };

  const openPending = () => {
    if (!pending) return;
    const current = frame?.origin === pending.origin ? frame : undefined;
    if (current?.accepts?.includes('open')) {
      opened = pending;
      pending = undefined;
      current.send({ type: 'open', url: opened.href, id: ++lastId });
      // While the shell is loading, its `boot` or silence calls this function again.
    } else if (!current || !isWaiting) load(pending);
  };

  const handleEvent = (event: FrameEvent) => {
    const { accepts, element, origin } = frame!;
    const isCurrent = (event as { id?: number }).id === (opened && lastId);
    switch (event.type) {
      case 'boot': {
        const acceptsOpen = accepts!.includes('open');
        const isUsed = opened || !element.inert;
        channelOrigin = origin;
        if (acceptsOpen) portals.set(getOptions().endpoint, origin);
        if (isShell) shells.set(origin, acceptsOpen);
        opened = undefined;
        isWaiting = isShell && acceptsOpen;
        // A document that was loaded from a URL may load another one before it is ready.
        if (event.isAgain && isUsed) onLost('session_lost');
        openPending();
        return;
      }
      case 'session-required':
        if (event.reason === 'incomplete') {
          close();
          onLost('session_lost');
        } else if (isCurrent) onLost('session_lost', event.reason === 'session-ended' || !!opened);
        return;
      case 'ready':
      case 'failed':
        if (!isCurrent) return;
        isWaiting = false;
        if (event.type === 'ready') onReady({ unappliedFilters: event.unappliedFilters });
        else onFailed(event.cause);
        return;
      case 'reopen':
        if (isCurrent) load(opened!);
        return;
      case 'state':
        position = event.state;
        return;
      case 'navigated':
        void invokeCallback(getOptions().onNavigate, event);
        return;
      case 'exported':
        void invokeCallback(getOptions().onExport, event);
        return;
      case 'key':
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }),
        );
        return;
      case 'resized':
        height = event.height;
        applyOptions();
    }
  };

  const handleSilence = (cause: EmbedFailureCause, hasLoaded?: boolean) => {
    const isFirst = isWaiting && !frame!.accepts;
    // A replaced document can open no URL, even if it has sent `boot`.
    isWaiting = false;
    if (isFirst) {
      if (cause !== 'unreachable') shells.set(frame!.origin, false);
      openPending();
    } else if (
      cause !== 'not_answering' ||
      channelOrigin === frame!.origin ||
      getOptions().handshake === 'required'
    )
      onLost(cause);
    else if (hasLoaded) onReady({ unappliedFilters: [], unverified: true });
  };

  return {
    /** Sets the element that contains the frame. */
    setContainer(element: HTMLElement) {
      container = element;
    },
    /** Without a frame, starts to load the shell. Call it when the URL is requested. */
    prepare() {
      const { endpoint, portalUrl = portals.get(endpoint) } = getOptions();
      if (frame || !URL.canParse('/embed', portalUrl)) return;
      const shell = new URL('/embed', portalUrl);
      if (findUrlProblem(shell) || shells.get(shell.origin) === false) return;
      load(shell);
      isShell = isWaiting = true;
    },
    /** Opens a URL. `speaksChannel`: the mint's answer has `frameChannel`. */
    open(url: URL, speaksChannel: boolean | undefined) {
      if (speaksChannel) channelOrigin = url.origin;
      pending = url;
      openPending();
    },
    /** Shows or hides the frame. Closes a hidden one that neither loads nor waits for a URL. */
    setVisible(isVisible: boolean | undefined, isLoading: boolean) {
      if (!isLoading) pending = undefined;
      if (!frame) return;
      frame.element.inert = !isVisible;
      frame.element.style.opacity = isVisible ? '' : '0';
      if (!isVisible && !isLoading && !isWaiting) close();
    },
    close,
    applyOptions,
    forgetPosition() {
      position = undefined;
    },
    get frame(): Frame | undefined {
      return frame;
    },
  };
}

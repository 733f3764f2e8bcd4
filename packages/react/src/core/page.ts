import type { EmbedFailureCause, FrameState } from '@portal-embed/contract/frame';

import { invokeCallback } from './callback.ts';
import { openFrame } from './frame.ts';
import type { Frame, FrameEvent } from './frame.ts';
import { findUrlProblem } from './mint.ts';
import type { EmbedOptions, ReadyEvent } from './options.ts';

export interface PageHandlers {
  onReady: (event: ReadyEvent) => void;
  /** The page answers that it cannot show the report. */
  onFailed: (cause: EmbedFailureCause) => void;
  /**
   * The page cannot open or refresh the report. `isVisible`: it still shows the previous data. Without
   * a cause, a URL is being opened already.
   */
  onLost: (cause?: EmbedFailureCause, isVisible?: boolean) => void;
}

/** The reader's place, for a document that replaces the current one. */
export interface Reader {
  position?: FrameState | undefined;
}

interface PageFrame extends Frame {
  /** The source is the shell. */
  isShell: boolean;
  /** The shell has shown no report, so it can wait for a URL. It may still be loading. */
  isWaiting: boolean;
  /** The latest `open`; `undefined` if the document itself was loaded from a URL. */
  opened?: { url: URL; id: number } | undefined;
}

/** Origins that have no shell. Shared by all embeds of the page. */
const withoutShell = new Set<string>();

export type Page = ReturnType<typeof createPage>;

/**
 * The one frame of an embed. A URL is opened in place if the current document accepts that. Otherwise
 * the frame is replaced by one that has the URL as its source.
 */
export function createPage(
  container: HTMLElement,
  reader: Reader,
  getOptions: () => EmbedOptions,
  onReady: PageHandlers['onReady'],
  onFailed: PageHandlers['onFailed'],
  onLost: PageHandlers['onLost'],
) {
  let frame: PageFrame | undefined;
  /** The URL that waits for the shell. */
  let pending: URL | undefined;
  let lastId = 0;
  /** The portal speaks the frame channel, so a silent page is an error page. */
  let isChannelKnown: boolean | undefined;
  /** Height of the report in CSS pixels. */
  let height: number | undefined;

  const connect = () => {
    const { theme, autoHeight } = getOptions();
    return { theme, autoHeight, state: reader.position };
  };

  const applyOptions = () => {
    const { title = 'Report', autoHeight, maxHeight = height } = getOptions();
    if (frame) frame.element.title = title;
    if (height && autoHeight) container.style.height = `${Math.min(height, maxHeight!)}px`;
  };

  const close = () => {
    frame?.close();
    frame = pending = undefined;
  };

  const load = (src: URL, isShell = false) => {
    const isReplaced = frame;
    close();
    frame = Object.assign(openFrame(container, src, connect, handleEvent, handleSilence), {
      isShell,
      isWaiting: isShell,
    });
    frame.start();
    applyOptions();
    if (isReplaced) onLost();
  };

  const openPending = () => {
    if (!pending) return;
    const current = frame?.origin === pending.origin ? frame : undefined;
    if (current?.accepts?.includes('open')) {
      current.opened = { url: pending, id: ++lastId };
      current.send({ type: 'open', url: pending.href, id: lastId });
      pending = undefined;
      // While the shell is loading, its `boot` or silence continues.
    } else if (!current?.isWaiting || current.accepts) load(pending);
  };

  const handleEvent = (event: FrameEvent) => {
    const current = frame!;
    const { opened, origin } = current;
    const isCurrent = (event as { id?: number }).id === opened?.id;
    switch (event.type) {
      case 'boot': {
        const acceptsOpen = current.accepts!.includes('open');
        isChannelKnown = true;
        if (acceptsOpen) withoutShell.delete(origin);
        else if (current.isShell) withoutShell.add(origin);
        current.opened = undefined;
        current.isWaiting = current.isShell && acceptsOpen;
        // A document that was loaded from a URL may load another one before it is ready.
        if (event.isAgain && (opened || !current.element.inert)) onLost('session_lost');
        openPending();
        return;
      }
      case 'session-required': {
        const isIncomplete = event.reason === 'incomplete';
        if (isIncomplete) close();
        if (isCurrent || isIncomplete)
          onLost('session_lost', !isIncomplete && (event.reason === 'session-ended' || !!opened));
        return;
      }
      case 'ready':
      case 'failed':
        if (!isCurrent) return;
        current.isWaiting = false;
        if (event.type === 'ready') onReady({ unappliedFilters: event.unappliedFilters });
        else onFailed(event.cause);
        return;
      case 'reopen':
        if (isCurrent) load(opened!.url);
        return;
      case 'state':
        reader.position = event.state;
        return;
      case 'navigated':
        void invokeCallback(getOptions().onNavigate, event);
        return;
      case 'resized':
        height = event.height;
        applyOptions();
    }
  };

  const handleSilence = (cause: EmbedFailureCause, hasLoaded?: boolean) => {
    if (frame!.isWaiting && !frame!.accepts) {
      frame!.isWaiting = false;
      if (cause !== 'unreachable') withoutShell.add(frame!.origin);
      openPending();
    } else if (cause !== 'not_answering' || isChannelKnown) onLost(cause);
    else if (hasLoaded) onReady({ unappliedFilters: [], unverified: true });
  };

  return {
    /** Without a frame, starts to load the shell. Call it when the URL is requested. */
    prepare() {
      const { portalUrl } = getOptions();
      if (frame || !URL.canParse('/embed', portalUrl)) return;
      const shell = new URL('/embed', portalUrl);
      if (!findUrlProblem(shell) && !withoutShell.has(shell.origin)) load(shell, true);
    },
    /** `speaksChannel`: the portal says so. */
    open(url: URL, speaksChannel: boolean | undefined) {
      isChannelKnown ||= speaksChannel || getOptions().handshake === 'required';
      pending = url;
      openPending();
    },
    /** Shows or hides the frame. A hidden one stays only if it has never shown a report. */
    setVisible(isVisible: boolean, isOpening: boolean) {
      if (!isOpening) pending = undefined;
      if (!frame) return;
      const { element } = frame;
      element.inert = !isVisible;
      element.style.opacity = isVisible ? '' : '0';
      if (!isVisible && !isOpening && !frame.isWaiting) close();
    },
    close,
    applyOptions,
    get frame(): Frame | undefined {
      return frame;
    },
  };
}

import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  Connect,
  EmbedFailureCause,
  FrameState,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import { wait } from './wait.ts';

export interface FrameOptions {
  url: string;
  container: HTMLElement;
  title: string;
  timeout: number;
  /** The host's wishes, asked for anew at each document of the frame. */
  getWishes: () => Omit<Connect, 'portalEmbed' | 'type'>;
  onMessage: (message: PortalMessage) => void;
  /** A page has loaded that does not speak the frame channel. */
  onMute: () => void;
  onFailure: (cause: EmbedFailureCause) => void;
}

export interface Frame {
  element: HTMLIFrameElement;
  /** Where its reader is, if the portal said so. */
  place?: FrameState | undefined;
  /** Whether its page has spoken the frame channel. */
  speaks?: boolean;
  send: (message: HostMessage) => void;
  show: () => void;
  close: () => void;
}

/** Opens one identity URL in an iframe of its own, unseen, and watches what becomes of it. */
export function openFrame(options: FrameOptions): Frame {
  const { url, container, timeout, onFailure } = options;
  const { origin } = new URL(url);
  const life = new AbortController();
  const { signal } = life;
  const element = document.createElement('iframe');
  let port: MessagePort | undefined;
  let opened: Window | null = null;
  let heard = false;
  let deadline: ReturnType<typeof setTimeout> | undefined;

  const expectWithin = (cause: EmbedFailureCause) => {
    clearTimeout(deadline);
    deadline = setTimeout(() => onFailure(cause), timeout);
  };

  const frame: Frame = {
    element,
    send: (message) => port?.postMessage(message),
    show() {
      element.inert = false;
      element.style.opacity = '';
    },
    close() {
      life.abort();
      clearTimeout(deadline);
      port?.close();
      element.remove();
    },
  };

  addEventListener(
    'message',
    ({ data, origin: sender, source }) => {
      if (!source || source !== element.contentWindow || sender !== origin || !isBoot(data)) return;
      heard = frame.speaks = true;
      expectWithin('timed_out');
      const channel = new MessageChannel();
      port?.close();
      port = channel.port1;
      port.addEventListener('message', ({ data: message }) => {
        if (!isPortalMessage(message)) return;
        if (/^(ready|fail|sess)/.test(message.type)) clearTimeout(deadline);
        options.onMessage(message);
      });
      port.start();
      element.contentWindow.postMessage(
        { portalEmbed: 1, type: 'connect', ...options.getWishes() } satisfies Connect,
        origin,
        [channel.port2],
      );
    },
    { signal },
  );

  // A document that spoke did so from its first script. `load` alone comes for error pages too.
  const checkMute = async () => {
    if (!heard) await wait(300, signal);
    const spoke = heard;
    heard = false;
    if (spoke || signal.aborted) return;
    const answers = await fetch(origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(
      () => {},
    );
    if (heard || signal.aborted) return;
    clearTimeout(deadline);
    if (answers) options.onMute();
    else onFailure('unreachable');
  };

  element.addEventListener(
    'load',
    () => {
      // Moved in the DOM, which loads its spent URL again.
      if (opened && opened !== element.contentWindow && !heard) onFailure('session_lost');
      opened = element.contentWindow;
      void checkMute();
    },
    { signal },
  );

  document.addEventListener(
    'securitypolicyviolation',
    (event) => {
      if (
        event.disposition === 'enforce' &&
        event.effectiveDirective === 'frame-src' &&
        event.blockedURI.startsWith(origin)
      )
        onFailure('blocked_by_host');
    },
    { signal },
  );

  element.title = options.title;
  element.referrerPolicy = 'no-referrer';
  element.allow = 'fullscreen; clipboard-write';
  element.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
  );
  element.inert = true;
  // Not hidden in any other way: a frame that is never painted would never be ready.
  element.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0';
  element.src = url;
  container.append(element);
  expectWithin('no_response');
  return frame;
}

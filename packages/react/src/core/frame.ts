import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  Connect,
  EmbedFailureCause,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import type { ReadyEvent } from './options.ts';
import { wait } from './wait.ts';

export interface Frame {
  element: HTMLIFrameElement;
  /** Of the content in CSS pixels, if the portal said so. */
  height?: number;
  send: (message: HostMessage) => void;
  close: () => undefined;
}

/** What the portal's page says, and what can be seen of a page that says nothing. */
export type FrameEvent =
  | Exclude<PortalMessage, { type: 'ready' }>
  | ({ type: 'ready' } & ReadyEvent)
  | { type: 'boot' };

/** Of the host page as an event, of the portal's as a report: the same under two names. */
interface Violation {
  disposition: string;
  effectiveDirective: string;
  blockedURI?: string;
  blockedURL?: string;
}

/**
 * Opens an identity URL in an iframe of its own, unseen, and watches what becomes of it.
 * `getWishes` is asked at each document of the frame.
 */
export function openFrame(
  container: HTMLElement,
  url: string,
  title: string,
  getWishes: () => Omit<Connect, 'portalEmbed' | 'type'>,
  tell: (event: FrameEvent) => void,
  lose: (cause: EmbedFailureCause) => void,
): Frame {
  const { origin } = new URL(url);
  const life = new AbortController();
  const { signal } = life;
  const element: HTMLIFrameElement = Object.assign(document.createElement('iframe'), {
    title,
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    inert: true,
    // Not hidden in any other way: a frame that is never painted would never be ready.
    style: 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0',
    src: url,
  });
  let port: MessagePort | undefined;
  let heard = false;

  const listen = (target: EventTarget, type: string, act: (event: never) => unknown) =>
    target.addEventListener(type, act as () => void, life);

  listen(window, 'message', (event: MessageEvent) => {
    if (event.source !== element.contentWindow || event.origin !== origin || !isBoot(event.data))
      return;
    heard = true;
    tell({ type: 'boot' });
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    listen(port, 'message', ({ data }: MessageEvent) => isPortalMessage(data) && tell(data));
    port.start();
    (event.source as Window).postMessage(
      { portalEmbed: 1, type: 'connect', ...getWishes() } satisfies Connect,
      origin,
      [channel.port2],
    );
  });

  // A document that speaks did so from its first script. `load` alone comes for error pages too.
  listen(element, 'load', async () => {
    if (!heard) await wait(300, signal);
    const answer =
      heard || (await fetch(origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(() => 0));
    if (!heard && !signal.aborted) {
      if (answer) tell({ type: 'ready', unappliedFilters: [], unverified: true });
      else lose('unreachable');
    }
    heard = false;
  });

  const judge = ({ disposition, effectiveDirective, blockedURI, blockedURL }: Violation) => {
    if (disposition === 'enforce' && (blockedURI ?? blockedURL)?.startsWith(origin)) {
      if (effectiveDirective === 'frame-src') lose('blocked_by_host');
      if (effectiveDirective === 'frame-ancestors') lose('blocked_by_portal');
    }
  };
  listen(document, 'securitypolicyviolation', judge);
  // Not in Firefox, to which such a page is mute.
  const observer =
    window.ReportingObserver &&
    new ReportingObserver((reports) =>
      reports.forEach(({ body }) => judge(body as unknown as Violation)),
    );
  observer?.observe();

  container.append(element);

  return {
    element,
    send: (message) => port?.postMessage(message),
    close() {
      life.abort();
      observer?.disconnect();
      port?.close();
      element.remove();
      return undefined;
    },
  };
}

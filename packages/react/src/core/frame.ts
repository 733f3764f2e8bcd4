/* oxlint-disable unicorn/prefer-add-event-listener -- such a handler starts its port, and goes with it or with its element */
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
  { href, origin }: URL,
  getWishes: () => Omit<Connect, 'portalEmbed' | 'type'>,
  hear: (frame: Frame, event: FrameEvent) => void,
  lose: (frame: Frame, cause: EmbedFailureCause) => void,
): Frame {
  const life = new AbortController();
  const { signal } = life;
  const element: HTMLIFrameElement = Object.assign(document.createElement('iframe'), {
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
    inert: true,
    // Not hidden in any other way: a frame that is never painted would never be ready.
    style: 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0',
    src: href,
  });
  let port: MessagePort | undefined;
  let heard = false;

  const receive = (event: MessageEvent) => {
    if (event.source !== element.contentWindow || event.origin !== origin || !isBoot(event.data))
      return;
    heard = true;
    hear(frame, event.data);
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.onmessage = ({ data }) => isPortalMessage(data) && hear(frame, data);
    (event.source as Window).postMessage(
      { portalEmbed: 1, type: 'connect', ...getWishes() } satisfies Connect,
      origin,
      [channel.port2],
    );
  };
  addEventListener('message', receive, life);

  // A document that speaks did so from its first script. `load` alone comes for error pages too.
  element.onload = async () => {
    if (!heard) await wait(300, signal);
    // Moved in the document, it has opened its spent URL again.
    const moved = element.contentWindow !== view;
    const answer =
      heard ||
      moved ||
      (await fetch(origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(() => {}));
    if (!heard && !signal.aborted) {
      if (moved) lose(frame, 'session_lost');
      else if (answer) hear(frame, { type: 'ready', unappliedFilters: [], unverified: true });
      else lose(frame, 'unreachable');
    }
    heard = false;
  };

  const judge = (violation: Violation) => {
    if (
      violation.disposition === 'enforce' &&
      `${violation.blockedURI ?? violation.blockedURL}/`.startsWith(`${origin}/`)
    ) {
      if (violation.effectiveDirective === 'frame-src') lose(frame, 'blocked_by_host');
      if (violation.effectiveDirective === 'frame-ancestors') lose(frame, 'blocked_by_portal');
    }
  };
  addEventListener('securitypolicyviolation', judge, life);
  // Not in Firefox, to which such a page is mute.
  const observer =
    window.ReportingObserver &&
    new ReportingObserver((reports) =>
      reports.forEach(({ body }) => judge(body as unknown as Violation)),
    );
  observer?.observe();

  const frame: Frame = {
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

  container.append(element);
  const view = element.contentWindow;

  return frame;
}

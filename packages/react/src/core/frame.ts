/* oxlint-disable unicorn/prefer-add-event-listener -- such a handler starts its port, and goes with it or with its element */
import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
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

/** How a document of the portal shall look, and which place it shall open at. */
export type Wishes = Omit<ConnectMessage, 'portalEmbed' | 'type'>;

/** Of the host page as an event, of the portal's as a report: the same under two names. */
interface Violation {
  disposition: string;
  effectiveDirective: string;
  blockedURI?: string;
  blockedURL?: string;
}

/**
 * Opens an identity URL in an iframe of its own, unseen, and watches what becomes of it.
 * What `hear` answers to the `boot` of a document are the host's wishes for it.
 */
export function openFrame(
  container: HTMLElement,
  url: URL,
  hear: (frame: Frame, event: FrameEvent) => Wishes | void,
  lose: (frame: Frame, cause: EmbedFailureCause) => void,
): Frame {
  const life = new AbortController();
  const { signal } = life;
  const element: HTMLIFrameElement = Object.assign(document.createElement('iframe'), {
    inert: true,
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-downloads allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
    // Not hidden in any other way: a frame that is never painted would never be ready.
    style: 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0',
    src: url,
  });
  let port: MessagePort | undefined;
  /** Whether the document there is now has spoken. */
  let heard: boolean | undefined;
  /** What is wrong with a document that says nothing. */
  let cause: EmbedFailureCause | undefined;

  addEventListener(
    'message',
    (event) => {
      if (
        event.source === element.contentWindow &&
        event.origin === url.origin &&
        isBoot(event.data)
      ) {
        heard = true;
        const wishes = hear(frame, event.data);
        const channel = new MessageChannel();
        port?.close();
        port = channel.port1;
        port.onmessage = ({ data }) => isPortalMessage(data) && hear(frame, data);
        element.contentWindow!.postMessage(
          { portalEmbed: 1, type: 'connect', ...wishes } satisfies ConnectMessage,
          url.origin,
          [channel.port2],
        );
      }
    },
    life,
  );

  // A document that speaks did so from its first script. `load` alone comes for error pages too.
  element.onload = async () => {
    if (!heard) await wait(300, signal);
    // Moved in the document, it has opened its spent URL again.
    if (view !== element.contentWindow) cause = 'session_lost';
    if (!heard && !cause)
      await fetch(url.origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(() => {
        cause = 'unreachable';
      });
    if (!heard && !signal.aborted) {
      if (cause) lose(frame, cause);
      else hear(frame, { type: 'ready', unappliedFilters: [], unverified: true });
    }
    heard = cause = undefined;
  };

  // It names an origin alone, and is told to every frame of the page: only a pending one may be meant.
  const judge = ({ disposition, effectiveDirective, blockedURI, blockedURL }: Violation) => {
    if (
      element.inert &&
      !heard &&
      disposition === 'enforce' &&
      new URL((blockedURI ?? blockedURL)!, location as never).origin === url.origin
    ) {
      if (effectiveDirective === 'frame-src') lose(frame, 'blocked_by_host');
      // Whether it was this frame is known when its page has loaded and says nothing.
      if (effectiveDirective === 'frame-ancestors') cause = 'blocked_by_portal';
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

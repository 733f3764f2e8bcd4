/* oxlint-disable unicorn/prefer-add-event-listener -- `onmessage` starts the port, and both handlers end with their object */
import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  EmbedFailureCause,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import type { ReadyEvent } from './options.ts';
import { wait } from './wait.ts';

/** How long a page may send `boot` after `load`. */
const bootGraceMs = 300;

export interface Frame {
  element: HTMLIFrameElement;
  /** Height of the content in CSS pixels, from `resized`. */
  height?: number;
  send: (message: HostMessage) => void;
  close: () => undefined;
}

/** A message of the portal's page, or `ready` for a page that loads without `boot`. */
export type FrameEvent =
  | Exclude<PortalMessage, { type: 'ready' }>
  | ({ type: 'ready' } & ReadyEvent)
  | { type: 'boot' };

/** The options of `connect`. */
export type ConnectOptions = Omit<ConnectMessage, 'portalEmbed' | 'type'>;

/** The event of the host's policy has `blockedURI`, the report of the portal's has `blockedURL`. */
interface Violation {
  disposition: string;
  effectiveDirective: string;
  blockedURI?: string;
  blockedURL?: string;
}

/**
 * Opens an identity URL in a new invisible iframe and reports its events and failures. The return
 * value of `onEvent` for `boot` is sent in `connect`.
 */
export function openFrame(
  container: HTMLElement,
  url: URL,
  onEvent: (frame: Frame, event: FrameEvent) => ConnectOptions | void,
  onFailure: (frame: Frame, cause: EmbedFailureCause) => void,
): Frame {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const element: HTMLIFrameElement = Object.assign(document.createElement('iframe'), {
    inert: true,
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-downloads allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
    // Hidden by opacity only, because a frame that is not painted never becomes ready.
    style: 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0',
    src: url,
  });
  let port: MessagePort | undefined;
  /** Whether the current document has sent `boot`. */
  let hasBooted: boolean | undefined;
  /** Why the current document may be silent. */
  let cause: EmbedFailureCause | undefined;

  addEventListener(
    'message',
    (event) => {
      if (
        event.source === element.contentWindow &&
        event.origin === url.origin &&
        isBoot(event.data)
      ) {
        hasBooted = true;
        const connectOptions = onEvent(frame, event.data);
        const channel = new MessageChannel();
        port?.close();
        port = channel.port1;
        port.onmessage = ({ data }) => isPortalMessage(data) && onEvent(frame, data);
        element.contentWindow!.postMessage(
          { portalEmbed: 1, type: 'connect', ...connectOptions } satisfies ConnectMessage,
          url.origin,
          [channel.port2],
        );
      }
    },
    lifetime,
  );

  // The browser fires `load` for its own error pages too, so a page without `boot` is probed.
  element.onload = async () => {
    if (!hasBooted) await wait(bootGraceMs, signal);
    // A frame that is moved in the DOM gets a new window and opens its used URL again.
    if (initialWindow !== element.contentWindow) cause = 'session_lost';
    if (!hasBooted && !cause)
      await fetch(url.origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(() => {
        cause = 'unreachable';
      });
    if (!hasBooted && !signal.aborted) {
      if (cause) onFailure(frame, cause);
      else onEvent(frame, { type: 'ready', unappliedFilters: [], unverified: true });
    }
    hasBooted = cause = undefined;
  };

  // A violation names only the origin. It cannot be about a frame that is visible or has booted.
  const handleViolation = ({
    disposition,
    effectiveDirective,
    blockedURI,
    blockedURL,
  }: Violation) => {
    if (
      element.inert &&
      !hasBooted &&
      disposition === 'enforce' &&
      new URL((blockedURI ?? blockedURL)!, location as never).origin === url.origin
    ) {
      if (effectiveDirective === 'frame-src') onFailure(frame, 'blocked_by_host');
      // Another frame may be blocked, so this one fails only if it loads without `boot`.
      if (effectiveDirective === 'frame-ancestors') cause = 'blocked_by_portal';
    }
  };
  addEventListener('securitypolicyviolation', handleViolation, lifetime);
  // Firefox has no ReportingObserver.
  const observer =
    window.ReportingObserver &&
    new ReportingObserver((reports) =>
      reports.forEach(({ body }) => handleViolation(body as unknown as Violation)),
    );
  observer?.observe();

  const frame: Frame = {
    element,
    send: (message) => port?.postMessage(message),
    close() {
      lifetime.abort();
      observer?.disconnect();
      port?.close();
      element.remove();
      return undefined;
    },
  };

  container.append(element);
  const initialWindow = element.contentWindow;

  return frame;
}

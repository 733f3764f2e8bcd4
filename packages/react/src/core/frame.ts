/* oxlint-disable unicorn/prefer-add-event-listener -- `onmessage` starts the port, and both handlers end with their object */
import { isBoot, isPortalMessage } from '@portal-embed/contract/frame';
import type {
  ConnectMessage,
  EmbedFailureCause,
  HostMessage,
  PortalMessage,
} from '@portal-embed/contract/frame';

import { runAfter, wait } from './wait.ts';

/** Reports of a blocked frame or probe arrive within this time. */
const reportGraceMs = 100;
/** After this time without `boot`, the portal is probed. */
const bootTimeoutMs = 1_000;

export interface Frame {
  element: HTMLIFrameElement;
  origin: string;
  /** Messages that the current document takes; `undefined` before its `boot`. */
  accepts?: readonly string[] | undefined;
  send: (message: HostMessage) => void;
  close: () => void;
}

/** The options of `connect`. */
export type ConnectOptions = Omit<ConnectMessage, 'portalEmbed' | 'type'>;

/** A message of the portal's page. `leaving` is handled here. */
export type FrameEvent =
  | Exclude<PortalMessage, { type: 'leaving' }>
  /** `isAgain`: another document has replaced one that had sent `boot`. */
  | { type: 'boot'; isAgain: boolean };

/** Violations of the host's policy have `blockedURI`, reports of the portal's policy `blockedURL`. */
interface Violation {
  disposition: string;
  effectiveDirective: string;
  blockedURI?: string;
  blockedURL?: string;
}

/**
 * Adds an invisible iframe for a page of the portal. If its document sends no `boot`, a probe finds
 * the cause.
 */
export function openFrame(
  container: HTMLElement,
  src: URL,
  connect: () => ConnectOptions,
  onEvent: (event: FrameEvent) => void,
  /** Called with the cause if the document does not send `boot`. */
  onSilent: (cause: EmbedFailureCause, hasLoaded?: boolean) => void,
): Frame {
  const lifetime = new AbortController();
  const { origin } = src;
  const element: HTMLIFrameElement = Object.assign(document.createElement('iframe'), {
    inert: true,
    referrerPolicy: 'no-referrer',
    allow: 'fullscreen; clipboard-write',
    sandbox:
      'allow-downloads allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox',
    // Hidden by opacity only, because a frame that is not painted never becomes ready.
    style: 'position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0',
    src,
  });
  let port: MessagePort | undefined;
  /** The directive that blocked this frame or its probe. */
  let blockedBy: string | undefined;
  /** Aborted when the loading document has sent `boot`. */
  let silence = new AbortController();

  const startSilence = () => {
    silence.abort();
    silence = new AbortController();
  };

  const expectBoot = () => {
    startSilence();
    runAfter(bootTimeoutMs, silence.signal, probe);
  };

  /** The browser fires `load` for its own error pages too, or no event at all. */
  const probe = async (hasLoaded?: boolean) => {
    const { signal } = silence;
    // Firefox fires no `load` for its error pages, but they replace the first empty document.
    const isReplaced = hasLoaded || !element.contentDocument;
    // A frame that is moved in the DOM gets a new window and opens its used URL again.
    if (isReplaced && initialWindow !== element.contentWindow) {
      onSilent('session_lost');
      return;
    }
    const answer = await fetch(origin, { method: 'HEAD', mode: 'no-cors', signal }).catch(() => {});
    await wait(reportGraceMs, signal);
    if (isReplaced && blockedBy === 'frame-ancestors') onSilent('blocked_by_portal');
    // A policy without `connect-src` for the portal says nothing about the portal.
    else if (!answer && blockedBy !== 'connect-src') onSilent('unreachable');
    else if (isReplaced) onSilent('not_answering', hasLoaded);
  };

  addEventListener(
    'message',
    (event) => {
      if (event.source === element.contentWindow && event.origin === origin && isBoot(event.data)) {
        const isAgain = !!frame.accepts;
        silence.abort();
        frame.accepts = event.data.accepts ?? [];
        const channel = new MessageChannel();
        port?.close();
        port = channel.port1;
        port.onmessage = ({ data: message }) => {
          if (!isPortalMessage(message)) return;
          if (message.type === 'leaving') expectBoot();
          else onEvent(message);
        };
        element.contentWindow!.postMessage(
          {
            portalEmbed: 1,
            type: 'connect',
            ...connect(),
          } satisfies ConnectMessage,
          origin,
          [channel.port2],
        );
        onEvent({ type: 'boot', isAgain });
      }
    },
    lifetime,
  );

  // A violation names only the origin. It cannot be about a frame that is visible or has booted.
  const handleViolation = (violation: Violation) => {
    if (
      element.inert &&
      !frame.accepts &&
      violation.disposition === 'enforce' &&
      new URL((violation.blockedURI ?? violation.blockedURL)!, location as never).origin === origin
    ) {
      // Another frame may be blocked by `frame-ancestors`, so this one fails only if it is silent.
      blockedBy = violation.effectiveDirective;
      if (blockedBy === 'frame-src') onSilent('blocked_by_host');
    }
  };
  addEventListener('securitypolicyviolation', handleViolation, lifetime);
  const observer =
    window.ReportingObserver &&
    // Chromium reports the frames of one origin only once for each page.
    new ReportingObserver(
      (reports) => reports.forEach(({ body }) => handleViolation(body as unknown as Violation)),
      { buffered: true },
    );
  observer?.observe();

  const frame: Frame = {
    element,
    origin,
    send: (message) => port?.postMessage(message),
    close() {
      lifetime.abort();
      silence.abort();
      observer?.disconnect();
      port?.close();
      element.remove();
    },
  };

  expectBoot();
  container.append(element);
  const initialWindow = element.contentWindow;
  // During `append`, WebKit fires `load` for a frame that a policy blocks.
  element.onload = () => {
    const isSilent = !silence.signal.aborted;
    startSilence();
    if (isSilent) void probe(true);
  };

  return frame;
}

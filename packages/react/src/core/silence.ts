import { bootTimeoutMs, reportGraceMs } from './limits.ts';
import type { FrameFailureCause } from './messages.ts';
import { runAfter, wait } from './wait.ts';

/** Violations of the host's policy have `blockedURI`, reports of the portal's policy `blockedURL`. */
interface Violation {
  disposition: string;
  effectiveDirective: string;
  blockedURI?: string;
  blockedURL?: string;
}

/**
 * Finds the cause if a document of the iframe sends no `boot`. Browsers fire `load` for their own
 * error pages too, or no event at all.
 */
export function watchSilence(
  element: HTMLIFrameElement,
  /** The window of the element, which may differ from that of this module. */
  view: typeof window,
  origin: string,
  /** Whether the frame is not visible and has not booted. */
  isHidden: () => boolean,
  onSilent: (cause: FrameFailureCause, hasLoaded?: boolean) => void,
) {
  const initialWindow = element.contentWindow;
  /** The directive that blocked this frame or its probe. */
  let blockedBy: string | undefined;
  /** Aborted when the loading document has sent `boot`. */
  let silence = new AbortController();

  const startSilence = () => {
    silence.abort();
    silence = new AbortController();
    return silence.signal;
  };

  const probe = async (hasLoaded?: boolean) => {
    const signal = startSilence();
    // Firefox fires no `load` for its error pages, but they replace the first empty document.
    const isReplaced = hasLoaded || !element.contentDocument;
    // A frame that is moved in the DOM gets a new window and opens its used URL again.
    if (isReplaced && initialWindow !== element.contentWindow) {
      onSilent('session_lost');
      return;
    }
    const answer = await view
      .fetch(origin, { method: 'HEAD', mode: 'no-cors', signal })
      .catch(() => {});
    await wait(reportGraceMs, signal);
    if (isReplaced && blockedBy === 'frame-ancestors') onSilent('blocked_by_portal');
    // A policy without `connect-src` for the portal says nothing about the portal.
    else if (!answer && blockedBy !== 'connect-src') onSilent('unreachable');
    else if (isReplaced) onSilent('not_answering', hasLoaded);
  };

  const start = () => {
    runAfter(bootTimeoutMs, startSilence(), probe);
  };

  // A violation names only the origin. It cannot be about a frame that is visible or has booted.
  const handleViolation = (violation: Violation) => {
    if (
      isHidden() &&
      violation.disposition === 'enforce' &&
      // Not the origin, because `upgrade-insecure-requests` changes http to https.
      new URL((violation.blockedURI ?? violation.blockedURL)!, element.baseURI).host ===
        new URL(origin).host
    ) {
      // Another frame may be blocked by `frame-ancestors`, so this one fails only if it is silent.
      blockedBy = violation.effectiveDirective;
      if (blockedBy === 'frame-src') onSilent('blocked_by_host');
    }
  };
  view.addEventListener('securitypolicyviolation', handleViolation);
  const observer =
    view.ReportingObserver &&
    // Chromium reports the frames of one origin only once for each page.
    new view.ReportingObserver(
      (reports) => {
        for (const { body } of reports) handleViolation(body as unknown as Violation);
      },
      { buffered: true },
    );
  observer?.observe();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the handler ends with its element
  element.onload = () => {
    if (silence.signal.aborted) startSilence();
    else void probe(true);
  };
  start();

  return {
    /** Call it when the next document starts to load. */
    start,
    /** Call it when the document has sent `boot`. */
    end: () => silence.abort(),
    close() {
      view.removeEventListener('securitypolicyviolation', handleViolation);
      silence.abort();
      observer?.disconnect();
    },
  };
}

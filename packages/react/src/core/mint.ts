import { requestUrl } from './endpoint.ts';
import { createEmbedError } from './error.ts';
import { burstPauseMs, burstWindowMs, maxConcurrentRequests } from './limits.ts';
import { describeFailure } from './messages.ts';
import type { EmbedOptions } from './options.ts';
import { wait } from './wait.ts';

/** An identity URL that passed the checks of this page. */
export interface MintedUrl {
  url: URL;
  /** According to the portal, its page sends `boot`. */
  frameChannel?: boolean | undefined;
}

// Shared by all embeds of the page, because they share the host endpoint.
let abortedAt: number | undefined;
let active = 0;
const queue: (() => void)[] = [];

/** Parses the URL of a page of the portal. Throws if the page must not be framed. */
export const parsePageUrl = (text: string, base?: string) => {
  const url = new URL(text, base);
  const { origin } = url;
  const fail = (cause: 'insecure_url' | 'same_origin') => {
    throw createEmbedError(cause, describeFailure(cause, origin));
  };
  if (!/^https:|^http:..(.+\.)?localhost(:\d+)?$/.test(origin)) fail('insecure_url');
  if (origin === location.origin) fail('same_origin');
  return url;
};

/**
 * Requests one identity URL from the host endpoint. The request is delayed, because an aborted one
 * would still mint on the server. Throws an `EmbedError`.
 *
 * @param isFirst whether this is no retry
 */
export async function mintUrl(
  options: EmbedOptions,
  request: string,
  signal: AbortSignal,
  onStart: () => void,
  isFirst = true,
): Promise<MintedUrl> {
  // Even without a pause, `await` lets the fake unmount of StrictMode abort before the request.
  await (performance.now() - abortedAt! < burstWindowMs && wait(burstPauseMs, signal));
  let hasSlot = true;
  if (++active > maxConcurrentRequests) await new Promise<void>((resolve) => queue.push(resolve));
  const releaseSlot = () => {
    if (!hasSlot) return;
    hasSlot = false;
    active--;
    if (signal.aborted) abortedAt = performance.now();
    queue.shift()?.();
  };
  try {
    // jsdom 20 has no `throwIfAborted`.
    if (signal.aborted) throw new Error('The request was aborted.');
    // `fetchIdentityUrl` may ignore the signal, so the abort itself releases the slot.
    signal.addEventListener('abort', releaseSlot);
    onStart();
    const { embedUrl, frameChannel } = await requestUrl(options, request, signal, isFirst);
    return { url: parsePageUrl(embedUrl), frameChannel };
  } finally {
    releaseSlot();
  }
}

import type { HostResponse, Problem } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import { createEmbedError, readHostCode } from './error.ts';
import type { EmbedError } from './error.ts';
import { burstPauseMs, burstWindowMs, maxConcurrentRequests } from './limits.ts';
import type { EmbedOptions } from './options.ts';
import { wait } from './wait.ts';

/** A failed `Response` with its parsed body, or the error of an HTTP library. */
interface Refusal {
  status?: number;
  headers?: Headers;
  data?: Partial<Problem>;
}

/** Causes of answers without a known code. */
const causeByStatus: Record<number, EmbedFailureCause> = {
  401: 'not_signed_in',
  429: 'rate_limited',
};

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
  if (!/^https:|^http:..(.+\.)?localhost(:\d+)?$/.test(url.origin))
    throw createEmbedError('insecure_url');
  if (url.origin === location.origin) throw createEmbedError('same_origin');
  return url;
};

/**
 * Requests one identity URL from the host endpoint. The request is delayed, because an aborted one
 * would still mint on the server. Throws an `EmbedError`.
 */
export async function mintUrl(
  { fetchIdentityUrl, endpoint = '/portal-embed/url' }: EmbedOptions,
  request: string,
  signal: AbortSignal,
  onStart: () => void,
): Promise<MintedUrl> {
  let fallbackCause: EmbedFailureCause = 'endpoint_unreachable';
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
    signal.throwIfAborted();
    // `fetchIdentityUrl` may ignore the signal, so the abort itself releases the slot.
    signal.addEventListener('abort', releaseSlot);
    onStart();
    const answer = (await (fetchIdentityUrl
      ? fetchIdentityUrl(JSON.parse(request), { signal })
      : fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: request,
          signal,
        }))) as (Partial<Response> & HostResponse) | null;
    const data: unknown = answer?.json ? await answer.json().catch(() => {}) : answer;
    // Handled below like an error of axios.
    // oxlint-disable-next-line typescript/only-throw-error
    if (answer?.ok === false) throw Object.assign(answer, { data });
    fallbackCause = 'endpoint_invalid';
    const { embedUrl, frameChannel } = data as HostResponse;
    return { url: parsePageUrl(embedUrl), frameChannel };
  } catch (error) {
    // `fetchIdentityUrl` may throw any value.
    const thrown = (error ?? {}) as Partial<EmbedError> & Refusal & { response?: Refusal };
    // axios and similar libraries have the answer in `response`.
    const { status, headers, data } = thrown.response ?? thrown;
    throw thrown.name === 'EmbedError'
      ? (thrown as EmbedError)
      : createEmbedError(
          readHostCode(data?.type) ?? causeByStatus[status!] ?? fallbackCause,
          data?.detail,
          +(headers?.get?.('retry-after') as string),
        );
  } finally {
    releaseSlot();
  }
}

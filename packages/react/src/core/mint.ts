import type { HostErrorCode, HostResponse, Problem } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import { createEmbedError } from './error.ts';
import type { EmbedOptions } from './options.ts';
import { wait } from './wait.ts';

/** A `Response` with its body, or what an HTTP library throws. */
interface Refusal {
  status?: number;
  headers?: Headers;
  data?: Partial<Problem>;
}

// Of the page as a whole, since it is the host endpoint that they spare.
let discardedAt = -Infinity;
let active = 0;
const waiting: (() => void)[] = [];

// An aborted request may still mint and audit on the server, so the point is not to send it.

/** Waits a moment where a URL was just fetched for nothing, as in a burst of remounts. */
export const holdBack = (signal: AbortSignal) =>
  performance.now() - discardedAt < 250 && wait(150, signal);

/** Asks the host endpoint for one identity URL, four at a time; throws an `EmbedError`. */
export async function mintUrl(
  { fetchIdentityUrl, endpoint = '/portal-embed/url' }: EmbedOptions,
  request: string,
  signal: AbortSignal,
): Promise<string> {
  let otherwise: EmbedFailureCause = 'endpoint_unreachable';
  if (++active > 4) await new Promise<void>((turn) => waiting.push(turn));
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => {
      discardedAt = performance.now();
    });
    const answer = await (fetchIdentityUrl
      ? fetchIdentityUrl(JSON.parse(request), { signal })
      : fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: request,
          signal,
        }));
    const response = answer as Partial<Response> | null;
    const data: unknown = response?.json ? await response.json().catch(() => {}) : answer;
    // Read below like an error of Axios.
    // oxlint-disable-next-line typescript/only-throw-error
    if (response?.ok === false) throw Object.assign(response, { data });
    otherwise = 'endpoint_invalid';
    const { href, origin, protocol, hostname } = new URL((data as HostResponse).embedUrl);
    if (!/^https:|^http:(.+\.)?localhost$/.test(protocol + hostname))
      throw createEmbedError('insecure_url');
    if (origin === location.origin) throw createEmbedError('same_origin');
    return href;
  } catch (error) {
    if ((error as Error).name === 'EmbedError') throw error;
    // Axios and its like keep the answer in `response`.
    const { status, headers, data } =
      (error as { response?: Refusal }).response ?? (error as Refusal);
    throw createEmbedError(
      (String(data?.type).split(':problem:')[1] as HostErrorCode | undefined) ??
        (status === 401 ? 'not_signed_in' : status === 429 ? 'rate_limited' : otherwise),
      data?.detail,
      Number(headers?.get?.('retry-after')) || 0,
    );
  } finally {
    active--;
    waiting.shift()?.();
  }
}

import type { HostResponse, Problem } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import { createEmbedError, readHostCode } from './error.ts';
import type { EmbedError } from './error.ts';
import type { EmbedOptions } from './options.ts';
import { wait } from './wait.ts';

/** A `Response` with its body, or what an HTTP library throws. */
interface Refusal {
  status?: number;
  headers?: Headers;
  data?: Partial<Problem>;
}

// Of the page as a whole, since it is the host endpoint that they spare.
let discardedAt: number | undefined;
const active = new Set<AbortSignal>();
const waiting: (() => void)[] = [];

// An aborted request may still mint and audit on the server, so the point is not to send it.

/** Asks the host endpoint for one identity URL, four at a time; throws an `EmbedError`. */
export async function mintUrl(
  { fetchIdentityUrl, endpoint = '/portal-embed/url' }: EmbedOptions,
  request: string,
  signal: AbortSignal,
  onTurn: () => void,
): Promise<URL> {
  let otherwise: EmbedFailureCause = 'endpoint_unreachable';
  // At least until after the fake unmount of StrictMode, which then costs no request; longer where a
  // URL was just fetched for nothing, as in a burst of remounts.
  await (performance.now() - discardedAt! < 250 && wait(150, signal));
  if (active.add(signal).size > 4) await new Promise<void>((turn) => waiting.push(turn));
  const endTurn = () => active.delete(signal) && waiting.shift()?.();
  try {
    signal.throwIfAborted();
    // What does not heed its signal gives its turn back all the same.
    signal.addEventListener('abort', () => {
      discardedAt = performance.now();
      endTurn();
    });
    onTurn();
    const answer = (await (fetchIdentityUrl
      ? fetchIdentityUrl(JSON.parse(request), { signal })
      : fetch(endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: request,
          signal,
        }))) as (Partial<Response> & HostResponse) | null;
    const data: unknown = answer?.json ? await answer.json().catch(() => {}) : answer;
    // Read below like an error of Axios.
    // oxlint-disable-next-line typescript/only-throw-error
    if (answer?.ok === false) throw Object.assign(answer, { data });
    otherwise = 'endpoint_invalid';
    const url = new URL((data as HostResponse).embedUrl);
    if (!/^https:|^http:(.+\.)?localhost$/.test(url.protocol + url.hostname))
      throw createEmbedError('insecure_url');
    if (url.origin === location.origin) throw createEmbedError('same_origin');
    return url;
  } catch (error) {
    // Anything can be thrown.
    const thrown = (error ?? {}) as Partial<EmbedError> & Refusal & { response?: Refusal };
    // Axios and its like keep the answer in `response`.
    const { status, headers, data } = thrown.response ?? thrown;
    throw thrown.name === 'EmbedError'
      ? (thrown as EmbedError)
      : createEmbedError(
          readHostCode(data?.type) ??
            (status === 401 ? 'not_signed_in' : status === 429 ? 'rate_limited' : otherwise),
          data?.detail,
          +(headers?.get?.('retry-after') as string),
        );
  } finally {
    endTurn();
  }
}

import type { HostRequest } from '@portal-embed/contract';

import { createEmbedError, isEmbedError, isHostCode } from './error.ts';
import type { EmbedError } from './error.ts';
import type { EmbedOptions } from './options.ts';
import { wait } from './wait.ts';

// Of the page as a whole, since it is the host endpoint that they spare.
let discardedAt = -Infinity;
let active = 0;
const waiting: (() => void)[] = [];

/** Notes that a URL was fetched, or nearly, for nothing. */
export const noteDiscard = () => {
  discardedAt = performance.now();
};

type Refusal = { status?: number; data?: unknown; headers?: Headers };

const toError = ({ status, data, headers }: Refusal): EmbedError => {
  const { code, detail, requestId } = (data ?? {}) as Record<string, string>;
  const cause = isHostCode(code)
    ? code
    : status === 401
      ? 'not_signed_in'
      : status === 429
        ? 'rate_limited'
        : 'endpoint_unreachable';
  return createEmbedError(cause, detail, {
    requestId,
    retryAfter: Number(headers?.get?.('retry-after')) || 0,
  });
};

const readAnswer = async (answer: unknown): Promise<string> => {
  let body = answer;
  if (answer instanceof Response) {
    body = await answer.json().catch(() => {});
    if (!answer.ok) throw toError({ status: answer.status, data: body, headers: answer.headers });
  }
  const { embedUrl } = (body ?? {}) as Record<string, unknown>;
  if (typeof embedUrl !== 'string' || !URL.canParse(embedUrl))
    throw createEmbedError('endpoint_invalid');
  const { protocol, hostname, origin } = new URL(embedUrl);
  // React 18 would render `javascript:` too.
  if (
    protocol !== 'https:' &&
    !(protocol === 'http:' && /^(.+\.)?localhost$|^127\.|^\[::1]$/.test(hostname))
  )
    throw createEmbedError('insecure_url');
  if (origin === location.origin) throw createEmbedError('same_origin');
  return embedUrl;
};

const requestUrl = (options: EmbedOptions, request: HostRequest, signal: AbortSignal) =>
  options.fetchIdentityUrl
    ? options.fetchIdentityUrl(request, { signal })
    : fetch(options.endpoint ?? '/portal-embed/url', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal,
      });

/**
 * Asks the host endpoint for one identity URL.
 *
 * An aborted request may still mint and audit on the server, so the point is not to send it: at most
 * four at a time, and a pause where one was just discarded, as in a burst of remounts.
 */
export async function mintUrl(
  options: EmbedOptions,
  request: HostRequest,
  timeout: number,
  signal: AbortSignal,
): Promise<string> {
  if (performance.now() - discardedAt < 250) await wait(150, signal);
  if (++active > 4) await new Promise<void>((turn) => waiting.push(turn));
  try {
    signal.throwIfAborted();
    return await Promise.race([
      requestUrl(options, request, signal).then(readAnswer),
      wait(timeout, signal).then(() => {
        throw createEmbedError('endpoint_unreachable');
      }),
    ]);
  } catch (error) {
    if (isEmbedError(error)) throw error;
    const thrown = error as Refusal & { response?: Refusal };
    throw toError(thrown.response ?? thrown);
  } finally {
    active--;
    waiting.shift()?.();
  }
}

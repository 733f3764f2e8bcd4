import type { HostResponse, Problem } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

import { createEmbedError, readHostCode } from './error.ts';
import type { EmbedError } from './error.ts';
import { defaultEndpoint, describeAnswer } from './messages.ts';
import type { EmbedOptions } from './options.ts';

/** An answer of the host endpoint, of something in front of it, or the error of an HTTP library. */
interface Answer {
  status?: number;
  headers?: Headers;
  redirected?: boolean | undefined;
  type?: string;
  data?: unknown;
}

/** What a `Response` or a library's error has. */
type Thrown = Partial<EmbedError> & Answer & { response?: Answer };

/**
 * Requests an identity URL with `fetchIdentityUrl` or a POST.
 *
 * @param isFirst whether this is no retry
 * @throws an `EmbedError`
 */
export async function requestUrl(
  options: EmbedOptions,
  body: string,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<HostResponse> {
  const { fetchIdentityUrl, endpoint = defaultEndpoint } = options;
  try {
    const answer = (await (fetchIdentityUrl
      ? fetchIdentityUrl(JSON.parse(body), { signal })
      : post(endpoint, body, signal, isFirst))) as Partial<Response> & HostResponse;
    const data = answer?.json && !answer.bodyUsed ? await readJson(answer as Response) : answer;
    if (answer?.ok !== false && isHostResponse(data)) return data;
    const { status = 200, headers, redirected, type } = answer ?? {};
    throw explainAnswer(options, { status, headers, redirected, type, data } as Answer);
  } catch (error) {
    // `fetchIdentityUrl` may throw any value. axios and similar libraries have the answer in `response`.
    const thrown = (error ?? {}) as Thrown;
    if (thrown.name === 'EmbedError') throw error;
    throw explainAnswer(options, thrown.response ?? thrown);
  }
}

async function post(
  endpoint: string,
  body: string,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<Response> {
  const url = new URL(endpoint, document.baseURI);
  // `fetch` refuses a URL with the credentials of the page's address.
  url.username = url.password = '';
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal };
  try {
    return await fetch(url.href, init);
  } catch (error) {
    if (signal.aborted || !isFirst) throw error;
    // A redirect to another origin, such as an identity provider, fails like a broken connection.
    return await fetch(url.href, { ...init, redirect: 'manual' });
  }
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return (await answer.json()) as unknown;
  } catch (error) {
    // Not a `SyntaxError`, so the connection broke during the body.
    if (answer.ok && (error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}

function isHostResponse(data: unknown): data is HostResponse {
  try {
    return !!new URL((data as HostResponse).embedUrl);
  } catch {
    return false;
  }
}

function explainAnswer(options: EmbedOptions, answer: Answer): EmbedError {
  const { status, headers, data } = answer;
  const { type, detail } = (data ?? {}) as Partial<Problem>;
  const retryAfter = Number(headers?.get?.('retry-after'));
  const code = readHostCode(type);
  if (code)
    return createEmbedError(code, detail || describeAnswer(code, options, status), retryAfter);
  // A service worker answers while the browser is offline.
  const received = navigator.onLine ? answer : {};
  const cause = findCause(received);
  return createEmbedError(cause, describeAnswer(cause, options, received.status), retryAfter);
}

/** The cause of an answer that is not of the host endpoint. */
function findCause({ status = 0, redirected, type }: Answer): EmbedFailureCause {
  if (redirected || type === 'opaqueredirect' || status === 401) return 'not_signed_in';
  if (status === 429) return 'rate_limited';
  return status < 200 || status >= 500 || status === 408 || status === 425
    ? 'endpoint_unreachable'
    : 'endpoint_invalid';
}

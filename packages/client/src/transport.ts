import { Axios } from 'axios';
import type { AxiosRequestConfig } from 'axios';

import { interruption, pageInstead, refusal, systemCode } from './failed-attempt.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import type { ClientSettings } from './options.ts';
import { createUndiciAdapter, longestAnswer } from './undici-adapter.ts';

export interface PortalRequest {
  method: string;
  /** Path and query below `apiUrl`. */
  target: string;
  /** Names the call in errors, without the values of its path. */
  label: string;
  body: string | undefined;
  requestId: string | undefined;
}

export interface PortalAnswer {
  status: number;
  text: string;
  /** The portal's clock, in milliseconds since 1970; `undefined` if it does not tell. */
  portalTime: number | undefined;
  requestId: string | undefined;
}

export interface Transport {
  /** One attempt. Never rejects. */
  attempt: (
    request: PortalRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ) => Promise<PortalAnswer | FailedAttempt>;
  close: () => Promise<void>;
}

// An empty answer is none, whatever its type: some frameworks call all that they send text/html.
const isPage = (contentType = '', text: string) =>
  text.trim() !== '' && (/^\s*text\/html\b/i.test(contentType) || /^\s*</.test(text));

const asIs = (data: unknown) => data;

// What our own adapter does by itself. Each setting is merged anew into every request, so it gets none.
const imposed: AxiosRequestConfig = {
  maxRedirects: 0,
  maxContentLength: longestAnswer,
  responseType: 'text',
  transformRequest: asIs,
  transformResponse: asIs,
  validateStatus: () => true,
};

/**
 * A signal reaches neither a request that waits for a connection, or for one to be made, nor an
 * interceptor of an injected axios.
 */
const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject);
  });

export function createTransport(settings: ClientSettings): Transport {
  const { apiUrl, apiKey } = settings;
  const own = settings.axios ? undefined : createUndiciAdapter(settings);
  const http = settings.axios ?? new Axios({ adapter: own!.adapter });
  const fixed = settings.axios ? imposed : {};
  // In any letter case: a host name is told in lower case.
  const key = new RegExp(apiKey.replace(/[^\w]/g, '\\$&'), 'gi');
  const redact = (text: string) => text.replaceAll(key, '[redacted]');

  async function attempt(
    request: PortalRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<PortalAnswer | FailedAttempt> {
    const { requestId, label } = request;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, timeoutMs);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      const answering = http.request<string>({
        ...fixed,
        method: request.method,
        baseURL: apiUrl,
        url: request.target,
        headers: {
          'X-API-Key': apiKey,
          Accept: 'application/json',
          ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        },
        data: request.body,
        signal: controller.signal,
      });
      const { status, data, headers } = await untilAborted(answering, controller.signal);
      const header = (name: string) => {
        const value: unknown = headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      const answeredId = header('x-request-id');
      const answer: PortalAnswer = {
        status,
        text: typeof data === 'string' ? data : '',
        portalTime: Date.parse(header('date') ?? '') || undefined,
        requestId: answeredId === undefined ? requestId : redact(answeredId),
      };
      if (status < 200 || status >= 300) return refusal(label, answer, header, redact);
      return isPage(header('content-type'), answer.text) ? pageInstead(label, answer) : answer;
    } catch (cause) {
      const code = systemCode(cause);
      // The latter is the time limit of an injected axios.
      const timedOut = controller.signal.aborted || code === 'ECONNABORTED';
      return interruption(label, redact(code), { signal, timedOut, requestId });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  return { attempt, close: own?.close ?? (async () => {}) };
}

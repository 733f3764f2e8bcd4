import { Axios } from 'axios';
import type { AxiosRequestConfig } from 'axios';

import {
  createNoAnswerFailure,
  createPageFailure,
  createRefusal,
  readSystemCode,
} from './failed-attempt.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import type { ClientSettings } from './options.ts';
import { createUndiciAdapter, maxAnswerBytes } from './undici-adapter.ts';

export interface PortalRequest {
  method: string;
  /** Path and query below `apiUrl`. */
  target: string;
  /** Name of the call in errors: method and path pattern. */
  label: string;
  /** JSON as text, or the bytes of a file. */
  body: string | Uint8Array | undefined;
  requestId: string | undefined;
}

export interface PortalAnswer {
  status: number;
  text: string;
  /** The portal's clock from the `Date` header, in milliseconds since 1970. */
  portalTime: number | undefined;
  requestId: string | undefined;
}

export interface Transport {
  /** Makes one attempt. It never rejects. */
  attempt: (
    request: PortalRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ) => Promise<PortalAnswer | FailedAttempt>;
  close: () => Promise<void>;
}

// Empty answers are not pages, because some frameworks send them as text/html.
const isPage = (contentType = '', text: string) =>
  text.trim() !== '' && (/^\s*text\/html\b/i.test(contentType) || /^\s*</.test(text));

const keepData = (data: unknown) => data;

// The undici adapter does the same without settings, because axios merges them for each request.
const injectedAxiosSettings: AxiosRequestConfig = {
  maxRedirects: 0,
  maxContentLength: maxAnswerBytes,
  responseType: 'text',
  transformRequest: keepData,
  transformResponse: keepData,
  validateStatus: () => true,
};

// undici ignores the signal until a request has a connection. Interceptors of axios always ignore it.
const rejectOnAbort = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });

const typeOf = (body: string | Uint8Array) =>
  typeof body === 'string' ? 'application/json' : 'application/octet-stream';

export function createTransport(settings: ClientSettings): Transport {
  const { apiUrl, apiKey } = settings;
  const adapter = settings.axios ? undefined : createUndiciAdapter(settings);
  const http = settings.axios ?? new Axios({ adapter: adapter!.send });
  const fixedSettings = settings.axios ? injectedAxiosSettings : {};
  // `URL` converts a key in a host name to lower case.
  const keyPattern = new RegExp(apiKey.replace(/[^\w]/g, '\\$&'), 'gi');
  const redact = (text: string) => text.replaceAll(keyPattern, '[redacted]');

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
      const pending = http.request<string>({
        ...fixedSettings,
        method: request.method,
        baseURL: apiUrl,
        url: request.target,
        headers: {
          'X-API-Key': apiKey,
          Accept: 'application/json',
          ...(request.body === undefined ? {} : { 'Content-Type': typeOf(request.body) }),
          ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        },
        data: request.body,
        signal: controller.signal,
      });
      const { status, data, headers } = await rejectOnAbort(pending, controller.signal);
      const header = (name: string) => {
        const value: unknown = headers[name];
        return typeof value === 'string' ? value : undefined;
      };
      const answerId = header('x-request-id');
      const answer: PortalAnswer = {
        status,
        text: typeof data === 'string' ? data : '',
        portalTime: Date.parse(header('date') ?? '') || undefined,
        requestId: answerId === undefined ? requestId : redact(answerId),
      };
      if (status < 200 || status >= 300) return createRefusal(label, answer, header, redact);
      return isPage(header('content-type'), answer.text)
        ? createPageFailure(label, answer)
        : answer;
    } catch (cause) {
      const code = readSystemCode(cause);
      // axios reports its own time limit as ECONNABORTED.
      const timedOut = controller.signal.aborted || code === 'ECONNABORTED';
      return createNoAnswerFailure(label, redact(code), { signal, timedOut, requestId });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  return { attempt, close: adapter?.close ?? (async () => {}) };
}

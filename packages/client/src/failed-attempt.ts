import { endpoints } from '@portal-embed/contract';

import { PortalApiError, readProblem } from './errors.ts';
import { readRetryAfter } from './retry-delay.ts';
import type { PortalAnswer } from './transport.ts';

/** A failed attempt, and whether the portal may have received the request. */
export interface FailedAttempt {
  error: PortalApiError;
  mayHaveArrived: boolean;
}

// These errors occur before the request is sent.
const connectErrors = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const checkApiUrl = "Check that apiUrl is the address of the portal's API, before /api.";

/** Endpoints that portals of other vendors do not have. */
const additions = new Set(
  Object.values(endpoints)
    .filter(({ number }) => number === null)
    .map(({ method, path }) => `${method} ${path}`),
);

/** Converts an answer without success. */
export function createRefusal(
  label: string,
  { status, text, requestId, portalTime }: PortalAnswer,
  header: (name: string) => string | undefined,
  redact: (text: string) => string,
): FailedAttempt {
  if (status >= 300 && status < 400) {
    const location = header('location') ?? '';
    const origin = URL.canParse(location) ? new URL(location).origin : 'another path';
    const message = `${label} was redirected to ${redact(origin)}. Redirects are not followed, because they could leak the API key. Set apiUrl to the address that answers without a redirect.`;
    const error = new PortalApiError('portal_redirected', message, { status, requestId });
    return { error, mayHaveArrived: true };
  }
  const contentType = (header('content-type') ?? '').toLowerCase();
  const problem = readProblem(status, text, contentType);
  const isMissingPage = status === 404 && contentType.startsWith('text/html');
  const detail = problem.detail
    ? `: ${redact(problem.detail).slice(0, 500)}`
    : isMissingPage
      ? ` with an HTML page. ${additions.has(label) ? 'The endpoint is not in the specification, and this portal does not have it.' : checkApiUrl}`
      : '';
  const message = `${label} was answered ${status} ${problem.code}${detail}`;
  const fields = {
    status,
    endpoint: label,
    codeFromStatus: problem.codeFromStatus,
    requestId: problem.requestId === undefined ? requestId : redact(problem.requestId),
    retryAfterSeconds: readRetryAfter(header('retry-after'), portalTime),
    errors: problem.errors?.map((each) => ({
      path: redact(each.path),
      message: redact(each.message),
    })),
  };
  return { error: new PortalApiError(problem.code, message, fields), mayHaveArrived: true };
}

/** Converts an HTML page, for example the sign-in page of a proxy. */
export function createPageFailure(
  label: string,
  { status, requestId }: PortalAnswer,
): FailedAttempt {
  const message = `${label} was answered with an HTML page. Check that apiUrl is the address of the portal's API.`;
  const error = new PortalApiError('portal_answer_invalid', message, { status, requestId });
  return { error, mayHaveArrived: true };
}

/** Reads the code of a system error. Interceptors may throw any value. */
export function readSystemCode(cause: unknown): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}

/** Describes why there is no answer. It drops the original error, which contains the API key. */
export function createNoAnswerFailure(
  label: string,
  reason: string,
  at: { signal: AbortSignal | undefined; timedOut: boolean; requestId: string | undefined },
): FailedAttempt {
  const { requestId } = at;
  const isAborted = at.signal?.aborted === true;
  const fail = (code: 'aborted' | 'portal_timeout' | 'portal_unavailable', message: string) =>
    new PortalApiError(code, `${label} ${message}`, { requestId });
  if (isAborted && (at.signal?.reason as Error | undefined)?.name !== 'TimeoutError')
    return { error: fail('aborted', 'was aborted.'), mayHaveArrived: true };
  if (isAborted || at.timedOut) {
    const message = 'was not answered in time. Check that the portal is up and not overloaded.';
    return { error: fail('portal_timeout', message), mayHaveArrived: true };
  }
  const message = `did not reach the portal (${reason}). Check apiUrl, DNS, the firewall and that the portal is up.`;
  return { error: fail('portal_unavailable', message), mayHaveArrived: !connectErrors.has(reason) };
}

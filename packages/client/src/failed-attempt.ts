import { PortalApiError, readProblem } from './errors.ts';
import { readRetryAfter } from './retry-delay.ts';
import type { PortalAnswer } from './transport.ts';

/** A failed attempt, and whether the portal may have received the request. */
export interface FailedAttempt {
  error: PortalApiError;
  mayHaveArrived: boolean;
}

// Nothing was sent yet when one of these happened.
const beforeSending = new Set([
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

/** Why an answer is no success. */
export function refusal(
  label: string,
  { status, text, requestId, portalTime }: PortalAnswer,
  header: (name: string) => string | undefined,
  redact: (text: string) => string,
): FailedAttempt {
  if (status >= 300 && status < 400) {
    const location = header('location') ?? '';
    const origin = URL.canParse(location) ? new URL(location).origin : 'another path';
    const message = `${label} was redirected to ${redact(origin)}, and the API key is not carried there. Set apiUrl to the address that answers by itself.`;
    const error = new PortalApiError('portal_redirected', message, { status, requestId });
    return { error, mayHaveArrived: true };
  }
  const problem = readProblem(status, text);
  const detail = problem.detail && `: ${redact(problem.detail).slice(0, 500)}`;
  const message = `${label} was answered ${status} ${problem.code}${detail}`;
  const fields = {
    status,
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

/** A page in place of an answer: a proxy that wants a sign-in, or an address that is not the API. */
export function pageInstead(label: string, { status, requestId }: PortalAnswer): FailedAttempt {
  const message = `${label} was answered with a page. Check that apiUrl is the portal's API and not a page in front of it.`;
  const error = new PortalApiError('portal_answer_invalid', message, { status, requestId });
  return { error, mayHaveArrived: true };
}

/** The code of a system error. What an interceptor throws may say anything, and be anything. */
export function systemCode(cause: unknown): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}

/** Why no answer arrived. The original error is dropped: it holds the request with its headers. */
export function interruption(
  label: string,
  reason: string,
  at: { signal: AbortSignal | undefined; timedOut: boolean; requestId: string | undefined },
): FailedAttempt {
  const { requestId } = at;
  const byCaller = at.signal?.aborted === true;
  const fail = (code: 'aborted' | 'portal_timeout' | 'portal_unavailable', message: string) =>
    new PortalApiError(code, `${label} ${message}`, { requestId });
  if (byCaller && (at.signal?.reason as Error | undefined)?.name !== 'TimeoutError')
    return { error: fail('aborted', 'was aborted.'), mayHaveArrived: true };
  if (byCaller || at.timedOut) {
    const message = 'was not answered in time. Check that the portal is up and not overloaded.';
    return { error: fail('portal_timeout', message), mayHaveArrived: true };
  }
  const message = `did not reach the portal (${reason}). Check apiUrl, DNS, firewall and that the portal is up.`;
  return { error: fail('portal_unavailable', message), mayHaveArrived: !beforeSending.has(reason) };
}

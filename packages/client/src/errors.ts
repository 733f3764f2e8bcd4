import { errorTable, problemSchema } from '@portal-embed/contract';
import type { ErrorCode, Problem } from '@portal-embed/contract';

/** The portal's own codes, and what can go wrong before there is an answer to read. */
export type PortalErrorCode =
  | ErrorCode
  /** The caller's `AbortSignal` ended the call. */
  | 'aborted'
  /** The portal answered with a redirect, which is never followed. */
  | 'portal_redirected'
  /** The answer is not what the API promises. */
  | 'portal_answer_invalid';

interface PortalApiErrorFields {
  status?: number | undefined;
  codeFromStatus?: boolean | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  errors?: Problem['errors'];
  leftBehind?: boolean | undefined;
}

/** The one error of the client. It never holds the API key, a header or a body. */
export class PortalApiError extends Error {
  override readonly name = 'PortalApiError';
  readonly code: PortalErrorCode;
  /** HTTP status; `undefined` if no answer arrived. */
  readonly status: number | undefined;
  /**
   * Whether the answer named no code that we know, so that `code` says no more than `status`: a 404
   * may then be an unknown user as well as a wrong address.
   */
  readonly codeFromStatus: boolean;
  /** Finds the call in the portal's log. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later. The client's own retries are over by then. */
  readonly retryable: boolean;
  /** How many seconds the portal asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** What is wrong with each field of the request. */
  readonly errors: Problem['errors'];
  /** Set by `provisionUser`: a user may be left half provisioned. Provision them once more. */
  readonly leftBehind: boolean;

  constructor(code: PortalErrorCode, message: string, fields: PortalApiErrorFields = {}) {
    super(message);
    this.code = code;
    this.status = fields.status;
    this.codeFromStatus = fields.codeFromStatus ?? false;
    this.requestId = fields.requestId;
    this.retryable = isRetryable(code, fields.status);
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.errors = fields.errors;
    this.leftBehind = fields.leftBehind ?? false;
  }
}

function isRetryable(code: PortalErrorCode, status: number | undefined): boolean {
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return code === 'portal_unavailable' || code === 'portal_timeout';
}

// For a portal whose errors carry no code of ours.
const codeByStatus: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'user_exists',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'unknown_references',
  429: 'rate_limited',
};

/** Reads a portal's problem+json, or whatever another portal answers in its place. */
export function readProblem(
  status: number,
  text: string,
): { code: ErrorCode; detail: string } & Pick<
  PortalApiError,
  'codeFromStatus' | 'requestId' | 'errors'
> {
  const body = problemSchema.partial().safeParse(parseJson(text)).data ?? {};
  const known = body.code !== undefined && Object.hasOwn(errorTable, body.code);
  const code = known ? (body.code as ErrorCode) : codeByStatus[status];
  return {
    code: code ?? (status >= 500 ? 'portal_unavailable' : 'invalid_request'),
    codeFromStatus: !known,
    detail: body.detail ?? body.title ?? '',
    requestId: body.requestId,
    errors: body.errors,
  };
}

/** The parsed text, or `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

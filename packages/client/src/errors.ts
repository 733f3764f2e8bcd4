import { errorTable, problemSchema } from '@portal-embed/contract';
import type { ErrorCode, Problem } from '@portal-embed/contract';
import { z } from 'zod';

/** The portal's codes, and the codes of calls that got no valid answer. */
export type PortalErrorCode =
  | ErrorCode
  /** The caller's `AbortSignal` ended the call. */
  | 'aborted'
  /** The portal answered with a redirect. The client follows none. */
  | 'portal_redirected'
  /** The answer does not match the API. */
  | 'portal_answer_invalid';

interface PortalApiErrorFields {
  status?: number | undefined;
  codeFromStatus?: boolean | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  errors?: Problem['errors'];
  leftBehind?: boolean | undefined;
  endpoint?: string | undefined;
}

/** The error of every failed call. It never contains the API key, a header or a body. */
export class PortalApiError extends Error {
  override readonly name = 'PortalApiError';
  readonly code: PortalErrorCode;
  /** HTTP status; `undefined` if no answer arrived. */
  readonly status: number | undefined;
  /**
   * Whether `code` was derived from `status`, because the answer had no known code. A 404 can then
   * mean an unknown user or a wrong address.
   */
  readonly codeFromStatus: boolean;
  /** The id of the call in the portal's log. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later. The client has already made its own retries. */
  readonly retryable: boolean;
  /** Seconds to wait before the next call, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** One entry per invalid field of the request. */
  readonly errors: Problem['errors'];
  /** Set by `provisionUser`: the user may be incomplete. Provision them again. */
  readonly leftBehind: boolean;
  /** The endpoint that refused the call, such as `DELETE /api/user/{userEmail}`. */
  readonly endpoint: string | undefined;

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
    this.endpoint = fields.endpoint;
  }
}

function isRetryable(code: PortalErrorCode, status: number | undefined): boolean {
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return code === 'portal_unavailable' || code === 'portal_timeout';
}

// For errors without a code of the contract, from other portals.
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

// Portals of other vendors often write `{message}`.
const foreignProblemSchema = problemSchema
  .partial()
  .extend({ message: z.string().optional().catch(undefined) });

/** Reads the body of an error: problem+json, other JSON, or plain text. */
export function readProblem(
  status: number,
  text: string,
  contentType: string,
): { code: ErrorCode; detail: string } & Pick<
  PortalApiError,
  'codeFromStatus' | 'requestId' | 'errors'
> {
  const body = foreignProblemSchema.safeParse(parseJson(text)).data ?? {};
  const known = body.code !== undefined && Object.hasOwn(errorTable, body.code);
  const code = known ? (body.code as ErrorCode) : codeByStatus[status];
  return {
    code: code ?? (status >= 500 ? 'portal_unavailable' : 'invalid_request'),
    codeFromStatus: !known,
    detail:
      body.detail ??
      body.title ??
      body.message ??
      (contentType.startsWith('text/plain') ? text.trim() : ''),
    requestId: body.requestId,
    errors: body.errors,
  };
}

/** Parses JSON. Returns `undefined` for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

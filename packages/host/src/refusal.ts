import { PortalApiError } from '@portal-embed/client';
import type { PortalErrorCode } from '@portal-embed/client';
import { errorTable } from '@portal-embed/contract';
import type { HostErrorCode, Problem } from '@portal-embed/contract';

import { Overload } from './gate.ts';

/**
 * The codes beside `HostErrorCode` never reach the script of a page: browsers do not compress request
 * bodies, and only `open` answers the other two.
 */
export type RefusalCode =
  | HostErrorCode
  | 'unsupported_media_type'
  | 'navigation_required'
  | 'not_found';

// What the reader of the answer can do. The portal's own words are for the log only.
const advice: Record<RefusalCode, string> = {
  not_signed_in: 'Sign in to the application, then try again.',
  unknown_tenant:
    'Open the application at an address it is configured for, or add this host name to the tenants.',
  cross_site:
    'Call this address from a page of the same origin, or list that origin in allowedOrigins of the tenant.',
  forbidden: 'Ask for a report, flags and filters that this user may choose.',
  no_portal_user:
    'Ask an administrator of the portal to create this user, or to extend the access of an expired one.',
  report_not_accessible: 'Ask an administrator of the portal for access to this report.',
  portal_unavailable: 'Try again in a moment. The log of the application says what failed.',
  portal_timeout: 'Try again in a moment. The portal or the way to it is slow.',
  portal_rejected_key:
    'The API key of this tenant needs attention: it is wrong, expired, of another organization, or lacks a permission.',
  rate_limited: 'Wait a moment, or as long as the Retry-After header says, then try again.',
  invalid_request: 'Correct the request.',
  navigation_required: 'Open this address in a tab of a browser.',
  not_found: 'Check the address.',
  unsupported_media_type: 'Send the body uncompressed, without the header Content-Encoding.',
};

interface RefusalFields {
  detail?: string | undefined;
  errors?: Problem['errors'];
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** The reason why a browser gets no URL. Its message is safe to show. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly errors: Problem['errors'];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, fields: RefusalFields = {}) {
    super(fields.detail ?? describeErrors(fields.errors) ?? advice[code], { cause: fields.cause });
    this.code = code;
    this.errors = fields.errors;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** For the operators of the application; `message` is for its users. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }
}

/** Names the first field, because scripts and logs see only this text. */
function describeErrors([first, ...others]: NonNullable<Problem['errors']> = []) {
  if (!first) return undefined;
  const rest = others.length > 0 ? `, and ${others.length} more` : '';
  return `Correct ${first.path || 'the body'}: ${first.message}${rest}.`;
}

/** A browser can do as little about a failed callback as about a failed portal. */
export function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('portal_unavailable', { cause: error });
}

/** Returns the refusal that a failed call of the portal comes to; any other error as it is. */
export function refuseFailedCall(
  error: unknown,
  signal: AbortSignal,
  translate: (error: PortalApiError) => Refusal,
): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof PortalApiError) return translate(error);
  if (error instanceof Overload)
    return new Refusal('portal_unavailable', { retryAfterSeconds: 1, cause: error });
  return signal.aborted ? new Refusal('portal_timeout', { cause: error }) : error;
}

// A reader cannot act on any other code: it becomes portal_unavailable.
const codesOfAnyCall: Partial<Record<PortalErrorCode, HostErrorCode>> = {
  invalid_api_key: 'portal_rejected_key',
  missing_permission: 'portal_rejected_key',
  organization_mismatch: 'portal_rejected_key',
  user_expired: 'no_portal_user',
  rate_limited: 'rate_limited',
  portal_timeout: 'portal_timeout',
};
const codesOfMint: typeof codesOfAnyCall = {
  ...codesOfAnyCall,
  user_not_found: 'no_portal_user',
  // From a portal whose 404 has no code, with a key that may not read users.
  not_found: 'no_portal_user',
  report_not_accessible: 'report_not_accessible',
  forbidden: 'forbidden',
  invalid_request: 'invalid_request',
  unknown_references: 'invalid_request',
  body_too_large: 'invalid_request',
};
// The application chose these calls, so no browser can correct them.
const codesOfOwnCall: typeof codesOfAnyCall = {
  ...codesOfAnyCall,
  forbidden: 'portal_rejected_key',
};

/** Translates the portal's error at a mint. */
export function toMintRefusal(error: PortalApiError): Refusal {
  const code = findMintCode(error);
  const { retryAfterSeconds } = error;
  const detail = code === 'invalid_request' ? describeRejection(error) : undefined;
  return new Refusal(code, { detail, retryAfterSeconds, cause: error });
}

/** Translates the portal's error at a call that the application chose: provisioning, ending sessions. */
export function toCallRefusal(error: PortalApiError): Refusal {
  const code = codesOfOwnCall[error.code] ?? 'portal_unavailable';
  return new Refusal(code, { retryAfterSeconds: error.retryAfterSeconds, cause: error });
}

const describeRejection = ({ code }: PortalApiError) =>
  code === 'body_too_large'
    ? 'Send fewer or shorter filters: the portal does not accept so many at once.'
    : 'The portal does not accept this request. The log of the application says why.';

function findMintCode({ code, codeFromStatus, errors = [] }: PortalApiError): HostErrorCode {
  const fields = new Set(errors.map(({ path }) => path));
  // These come from the session and the configuration, so no browser can correct them.
  if (fields.has('userEmail')) return 'no_portal_user';
  if (fields.has('baseUrl') || fields.has('organizationId')) return 'portal_unavailable';
  if (code === 'not_found' && !codeFromStatus) return 'portal_unavailable';
  return codesOfMint[code] ?? 'portal_unavailable';
}

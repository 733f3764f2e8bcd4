import type { PortalApiError, PortalErrorCode } from '@portal-embed/client';
import { errorTable } from '@portal-embed/contract';
import type { HostErrorCode, Problem } from '@portal-embed/contract';

// What a reader of the answer can do. Never the portal's own words: they are for the log.
const advice: Record<HostErrorCode, string> = {
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
  rate_limited: 'Wait a moment, or as long as a Retry-After header says, then try again.',
  invalid_request: 'Correct the request: see errors for each field.',
};

interface RefusalFields {
  detail?: string | undefined;
  errors?: Problem['errors'];
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** Why a browser gets no URL. Its message is safe to show. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: HostErrorCode;
  readonly errors: Problem['errors'];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: HostErrorCode, fields: RefusalFields = {}) {
    super(fields.detail ?? advice[code], { cause: fields.cause });
    this.code = code;
    this.errors = fields.errors;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** For people who run the app; `message` is for those who use it. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }
}

// What is missing here is nothing a reader could act on: the portal is not of use at the moment.
const hostCodes: Partial<Record<PortalErrorCode, HostErrorCode>> = {
  invalid_api_key: 'portal_rejected_key',
  missing_permission: 'portal_rejected_key',
  organization_mismatch: 'portal_rejected_key',
  user_not_found: 'no_portal_user',
  // Of a portal that says no more than 404, and lets nobody look whom it knows.
  not_found: 'no_portal_user',
  user_expired: 'no_portal_user',
  report_not_accessible: 'report_not_accessible',
  forbidden: 'forbidden',
  invalid_request: 'invalid_request',
  rate_limited: 'rate_limited',
  portal_timeout: 'portal_timeout',
};

/** The one place where the portal's errors become the host endpoint's. */
export function refusalOf(error: PortalApiError): Refusal {
  const code = hostCodeOf(error);
  const { retryAfterSeconds } = error;
  const detail = code === 'invalid_request' ? unacceptable : undefined;
  return new Refusal(code, { detail, retryAfterSeconds, cause: error });
}

const unacceptable =
  'Ask for something else: the portal does not accept this. The log of the application says why.';

function hostCodeOf({ code, errors = [] }: PortalApiError): HostErrorCode {
  const fields = new Set(errors.map(({ path }) => path));
  // These come from the session and the configuration, so no browser could correct them.
  if (fields.has('userEmail')) return 'no_portal_user';
  if (fields.has('baseUrl') || fields.has('organizationId')) return 'portal_unavailable';
  return hostCodes[code] ?? 'portal_unavailable';
}

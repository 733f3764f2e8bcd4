import type { ErrorCode } from '../errors.ts';

/** The errors of the host endpoint: a closed union, so that a frontend can handle each. */
export const hostErrorCodes = [
  'not_signed_in',
  'unknown_tenant',
  'cross_site',
  'forbidden',
  'no_portal_user',
  'report_not_accessible',
  'portal_unavailable',
  'portal_timeout',
  'portal_rejected_key',
  'rate_limited',
  'invalid_request',
] as const satisfies ErrorCode[];
export type HostErrorCode = (typeof hostErrorCodes)[number];

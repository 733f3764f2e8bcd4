import type { HostErrorCode } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

/** Why an embed failed. Branch on `cause`; `message` is for people. */
export interface EmbedError extends Error {
  name: 'EmbedError';
  cause: EmbedFailureCause;
  /** `Retry-After` of the host endpoint, in seconds; 0 without one. */
  retryAfter: number;
}

/** Creates an `EmbedError`. Throw one from `fetchIdentityUrl` to set the cause. */
export const createEmbedError = (
  cause: EmbedFailureCause,
  message: string = cause,
  retryAfter = 0,
): EmbedError =>
  Object.assign(new Error(message), {
    name: 'EmbedError' as const,
    cause,
    retryAfter: retryAfter > 0 ? retryAfter : 0,
  });

/** The codes of the host endpoint. */
const hostCodes: HostErrorCode[] = [
  'not_signed_in',
  'forbidden',
  'no_portal_user',
  'report_not_accessible',
  'portal_unavailable',
  'portal_timeout',
  'rate_limited',
  'unknown_tenant',
  'cross_site',
  'portal_rejected_key',
  'invalid_request',
];

/** Reads the code of a problem of the host endpoint from its `type`. */
export const readHostCode = (type?: string) =>
  hostCodes.find((code) => type === `urn:portal-embed:problem:${code}`);

type Causes = (EmbedFailureCause | undefined)[];

/** Whether a retry may succeed. */
export const isTransient = (error?: EmbedError) =>
  (
    [
      'portal_unavailable',
      'portal_timeout',
      'rate_limited',
      'endpoint_unreachable',
      'unreachable',
      'not_answering',
      'no_response',
      'timed_out',
      'session_lost',
    ] as Causes
  ).includes(error?.cause);

/** Whether the reader may not see the report. Other causes need a corrected configuration. */
export const isRefusal = (error?: EmbedError) =>
  (
    [
      'not_signed_in',
      'forbidden',
      'no_portal_user',
      'report_not_accessible',
      'filters_not_applied',
    ] as Causes
  ).includes(error?.cause);

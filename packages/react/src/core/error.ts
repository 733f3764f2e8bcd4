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

/**
 * `transient`: a retry may succeed. `refusal`: the reader may not see the report. `final`: somebody
 * must correct a configuration.
 */
type Kind = 'transient' | 'refusal' | 'final';

const hostCauses: Record<HostErrorCode, Kind> = {
  not_signed_in: 'refusal',
  unknown_tenant: 'final',
  cross_site: 'final',
  forbidden: 'refusal',
  no_portal_user: 'refusal',
  report_not_accessible: 'refusal',
  portal_unavailable: 'transient',
  portal_timeout: 'transient',
  portal_rejected_key: 'final',
  rate_limited: 'transient',
  invalid_request: 'final',
};

/** Causes without an entry are final. */
const causes: Partial<Record<EmbedFailureCause, Kind>> = {
  ...hostCauses,
  filters_not_applied: 'refusal',
  endpoint_unreachable: 'transient',
  unreachable: 'transient',
  not_answering: 'transient',
  no_response: 'transient',
  timed_out: 'transient',
  session_lost: 'transient',
};

/** Reads the code of a problem of the host endpoint from its `type`. */
export const readHostCode = (type?: string): HostErrorCode | undefined => {
  const code = /^urn:portal-embed:problem:(\w+)$/.exec(type!)?.[1] as HostErrorCode | undefined;
  return Object.hasOwn(hostCauses, code!) ? code : undefined;
};

export const isTransient = (cause?: EmbedFailureCause) => causes[cause!] === 'transient';
export const isRefusal = (cause?: EmbedFailureCause) => causes[cause!] === 'refusal';

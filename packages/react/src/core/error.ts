import type { HostErrorCode } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

/** Why an embed failed. Branch on `cause`; `message` is for people. */
export interface EmbedError extends Error {
  name: 'EmbedError';
  cause: EmbedFailureCause;
  /** Seconds to wait before the next request, from the host endpoint; 0 if there is no limit. */
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

interface CauseProperties {
  /** The host endpoint can answer it. */
  hostCode?: true;
  /** A retry may succeed. */
  transient?: true;
  /** The reader may not see the report. */
  refusal?: true;
}

const causes: Record<EmbedFailureCause, CauseProperties> = {
  not_signed_in: { hostCode: true, refusal: true },
  unknown_tenant: { hostCode: true },
  cross_site: { hostCode: true },
  forbidden: { hostCode: true, refusal: true },
  no_portal_user: { hostCode: true, refusal: true },
  report_not_accessible: { hostCode: true, refusal: true },
  portal_unavailable: { hostCode: true, transient: true },
  portal_timeout: { hostCode: true, transient: true },
  portal_rejected_key: { hostCode: true },
  rate_limited: { hostCode: true, transient: true },
  invalid_request: { hostCode: true },

  report_failed: {},
  filters_not_applied: { refusal: true },

  endpoint_unreachable: { transient: true },
  endpoint_invalid: {},
  insecure_url: {},
  same_origin: {},
  blocked_by_host: {},
  blocked_by_portal: {},
  unreachable: { transient: true },
  not_answering: { transient: true },
  no_response: { transient: true },
  timed_out: { transient: true },
  session_lost: { transient: true },
};

/** Reads the code of a problem of the host endpoint from its `type`. */
export const readHostCode = (type?: string): HostErrorCode | undefined => {
  const code = /^urn:portal-embed:problem:(\w+)$/.exec(type!)?.[1] as HostErrorCode | undefined;
  return code && causes[code]?.hostCode && code;
};

export const isTransient = (cause: EmbedFailureCause) => causes[cause]?.transient === true;
export const isRefusal = (cause: EmbedFailureCause) => causes[cause]?.refusal === true;

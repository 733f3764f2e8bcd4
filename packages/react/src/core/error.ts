import type { HostErrorCode } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

/** Why an embed failed. Decide by `cause`; `message` is for people. */
export interface EmbedError extends Error {
  name: 'EmbedError';
  cause: EmbedFailureCause;
  /** Seconds the host endpoint asked to wait, or 0. */
  retryAfter: number;
}

/** Makes an `EmbedError`. Throw one from `fetchIdentityUrl` to name the cause yourself. */
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

// Each of the following is held against the contract by a test.

/** The code that a problem of the host endpoint carries in its type; of another's, nothing. */
export const readHostCode = (type?: string) =>
  /:problem:(not_signed_in|unknown_tenant|cross_site|forbidden|no_portal_user|report_not_accessible|portal_(unavailable|timeout|rejected_key)|rate_limited|invalid_request)$/.exec(
    type!,
  )?.[1] as HostErrorCode | undefined;

// By words in their names, since tables would cost more; the tests hold them against the contract.

/** Whether a fresh attempt may help. */
export const isTransient = (cause: EmbedFailureCause) =>
  /able|time|rate|answ|resp|lost/.test(cause);

/** Whether the host or the portal says that this reader may not see the report (any more). */
export const isRefusal = (cause: EmbedFailureCause) =>
  /signed|forbid|user|access|filters/.test(cause);

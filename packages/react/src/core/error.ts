import type { HostErrorCode } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract/frame';

/** Why an embed failed. Decide by `cause`; `message` is for people. */
export interface EmbedError extends Error {
  name: 'EmbedError';
  cause: EmbedFailureCause;
  /** Finds the request in the host's log. */
  requestId?: string | undefined;
  /** Seconds the host endpoint asked to wait. */
  retryAfter?: number | undefined;
}

/** Makes an `EmbedError`. Throw one from `fetchIdentityUrl` to name the cause yourself. */
export const createEmbedError = (
  cause: EmbedFailureCause,
  message?: string,
  more?: Pick<EmbedError, 'requestId' | 'retryAfter'>,
): EmbedError =>
  Object.assign(new Error(message ?? `Portal Embed: ${cause}`, { cause }), more, {
    name: 'EmbedError',
  }) as EmbedError;

export const isEmbedError = (error: unknown): error is EmbedError =>
  (error as Error | undefined)?.name === 'EmbedError';

/** The host endpoint's codes, and whether the same question may be answered differently soon. */
const hostCodes = {
  not_signed_in: 0,
  unknown_tenant: 0,
  cross_site: 0,
  forbidden: 0,
  no_portal_user: 0,
  report_not_accessible: 0,
  portal_unavailable: 1,
  portal_timeout: 1,
  portal_rejected_key: 0,
  rate_limited: 1,
  invalid_request: 0,
} satisfies Record<HostErrorCode, 0 | 1>;

export const isHostCode = (code: unknown): code is HostErrorCode =>
  Object.hasOwn(hostCodes, code as string);

/** Whether a fresh attempt may help. */
export const isTransient = (cause: EmbedFailureCause) =>
  isHostCode(cause) ? hostCodes[cause] > 0 : !/_(invalid|url|origin|failed)$|^blocked/.test(cause);

/** Whether the host or the portal says that this reader may not see the report (any more). */
export const isRefusal = (cause: EmbedFailureCause) =>
  /^not_s|^forb|^no_p|_accessible$/.test(cause);

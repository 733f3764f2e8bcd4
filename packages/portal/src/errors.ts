import type { ErrorCode, Problem } from '@portal-embed/contract';

export interface PortalErrorOptions {
  /** What to do, for pages that show it under the title of the code. It is part of `detail` too. */
  advice?: string | undefined;
  errors?: Problem['errors'];
  /** Seconds after which a retry can succeed: the `Retry-After` of the response. */
  retryAfter?: number | undefined;
  /** What distinguishes errors of one code, in the body and in the metrics. */
  reason?: string | undefined;
}

/** An error for the caller. Its code decides the status. */
export class PortalError extends Error {
  override name = 'PortalError';
  readonly code: ErrorCode;
  readonly advice: string | undefined;
  readonly errors: Problem['errors'];
  readonly retryAfter: number | undefined;
  readonly reason: string | undefined;

  /** @param happened what happened; with `options.advice`, the message consists of both */
  constructor(code: ErrorCode, happened: string, options: PortalErrorOptions = {}) {
    const { advice, errors, retryAfter, reason } = options;
    super(advice === undefined ? happened : `${happened} ${advice}`);
    this.code = code;
    this.advice = advice;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.reason = reason;
  }
}

/** A variable is not valid, or the command runs as the wrong user. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Another program listens on a port of the portal. */
export class PortTakenError extends Error {
  override name = 'PortTakenError';
}

import type { ErrorCode, Problem } from '@portal-embed/contract';

/** An error to be answered: its code decides the status, its detail says what to do. */
export class PortalError extends Error {
  override name = 'PortalError';
  readonly code: ErrorCode;
  readonly errors: Problem['errors'];
  /** Seconds after which the same request has a chance: the answer's `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, detail: string, errors?: Problem['errors'], retryAfter?: number) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

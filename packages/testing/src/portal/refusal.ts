import type { ErrorCode, Problem } from '@portal-embed/contract';

/** A request that the fake portal refuses as the portal would. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly errors: Problem['errors'];

  constructor(code: ErrorCode, detail: string, errors?: Problem['errors']) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}

import type { ErrorCode, Problem } from '@portal-embed/contract';

/** `unreachable`: the portal did not answer. Otherwise the code of the service's error. */
export type AdminErrorCode = ErrorCode | 'unreachable';

/** Why a request of the pages failed. */
export class AdminError extends Error {
  override name = 'AdminError';
  readonly code: AdminErrorCode;
  /** Empty without an answer. */
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly errors: NonNullable<Problem['errors']>;
  /** Seconds after which a retry can succeed. */
  readonly retryAfter: number | undefined;

  constructor(code: AdminErrorCode, problem: Partial<Problem> = {}, retryAfter?: number) {
    const { detail = '' } = problem;
    // The page has a link of its own to the page about the error.
    const withoutAddress = detail.replace(/ https?:\/\/\S+$/, '');
    super(withoutAddress || code);
    this.code = code;
    this.detail = withoutAddress;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

/** The error of an answer that had begun. */
export const createAdminError = (problem: Partial<Problem>): AdminError =>
  new AdminError((problem.code ?? 'internal_error') as AdminErrorCode, problem);

export async function readAdminError(response: Response): Promise<AdminError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new AdminError(
    // A proxy answers without a code when it does not reach the portal.
    (problem.code ??
      ([502, 503, 504].includes(response.status)
        ? 'unreachable'
        : 'internal_error')) as AdminErrorCode,
    problem,
    Number.isNaN(retryAfter) ? undefined : retryAfter,
  );
}

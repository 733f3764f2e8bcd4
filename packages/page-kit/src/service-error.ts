import type { ErrorCode, Problem } from '@portal-embed/contract';

/** `unreachable`: no response arrived. Otherwise the code of the service's error. */
export type ServiceErrorCode = ErrorCode | 'unreachable';

interface ServiceErrorDetails {
  requestId?: string | undefined;
  reason?: string | undefined;
  filters?: readonly string[];
}

/** Why the service returned no data. The page words it in the reader's language. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** The reader can quote it to the administrator. */
  readonly requestId: string | undefined;
  /** Distinguishes errors of one code. */
  readonly reason: string | undefined;
  /** Keys of the filters that the report lacks. */
  readonly filters: readonly string[];

  constructor(
    code: ServiceErrorCode,
    { requestId, reason, filters = [] }: ServiceErrorDetails = {},
  ) {
    super(`The request failed: ${code}.`);
    this.code = code;
    this.requestId = requestId;
    this.reason = reason;
    this.filters = filters;
  }
}

/** Reads a problem+json body. Any other body counts as an internal error. */
export async function readServiceError(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => null)) as
    | (Partial<Problem> & { code?: ErrorCode })
    | null;
  const code = body?.code ?? (response.status === 401 ? 'session_required' : 'internal_error');
  const filters =
    code === 'filters_not_applied' ? body?.errors?.map(({ path }) => path) : undefined;
  return new ServiceError(code, {
    requestId: body?.requestId,
    reason: body?.reason,
    ...(filters && { filters }),
  });
}

import type { ErrorCode, Problem } from '@portal-embed/contract';

/** `unreachable`: no response arrived. Otherwise the code of the service's error. */
export type ServiceErrorCode = ErrorCode | 'unreachable';

/** Texts for the reader. */
export interface ServiceErrorText {
  title: string;
  advice: string;
}

/** Why the service returned no data. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly advice: string;
  /** The reader can quote it to the administrator. */
  readonly requestId: string | null;

  constructor(
    code: ServiceErrorCode,
    { title, advice }: ServiceErrorText,
    requestId: string | null = null,
  ) {
    super(title);
    this.code = code;
    this.advice = advice;
    this.requestId = requestId;
  }
}

/** Reads a problem+json body. Any other body counts as an internal error. */
export async function readServiceError(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => null)) as
    | (Partial<Problem> & { code?: ErrorCode })
    | null;
  return new ServiceError(
    body?.code ?? (response.status === 401 ? 'session_required' : 'internal_error'),
    {
      title: body?.title ?? 'The portal could not answer',
      advice: body?.advice ?? body?.detail ?? 'Try again in a moment.',
    },
    body?.requestId ?? null,
  );
}

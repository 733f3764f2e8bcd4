import type { ErrorCode } from '@portal-embed/contract';

/** `unreachable`: no answer arrived. Otherwise the code of the service's error body. */
export type ServiceErrorCode = ErrorCode | 'unreachable';

/** Why the service gave no data; `message` is meant for the reader. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** For the reader to quote to whoever runs the portal. */
  readonly requestId: string | null;

  constructor(code: ServiceErrorCode, message: string, requestId: string | null = null) {
    super(message);
    this.code = code;
    this.requestId = requestId;
  }
}

/** Reads a problem+json answer; anything else is a service that failed. */
export async function readServiceError(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => null)) as {
    code?: ErrorCode;
    detail?: string;
    requestId?: string;
  } | null;
  return new ServiceError(
    body?.code ?? (response.status === 401 ? 'session_required' : 'internal_error'),
    body?.detail ?? 'The portal could not answer. Try again in a moment.',
    body?.requestId ?? null,
  );
}

/** What Microsoft Entra ID or Power BI did not do. */
export type PowerbiFailure =
  /** Entra refused the application, its secret or its certificate. */
  | 'sign-in'
  /** The tenant does not let service principals use the API. */
  | 'not-allowed'
  /** The application is not a member of the workspace of the report or of its model. */
  | 'not-a-member'
  /** The capacity of the workspace is paused. */
  | 'paused'
  /** The trial tokens are used up. */
  | 'trial-used-up'
  | 'not-found'
  /** The request does not fit the report, as after roles were added to its model. */
  | 'rejected'
  | 'throttled'
  /** The tenant is in another region or cloud. */
  | 'moved'
  /** No answer, or one that is not Power BI's. */
  | 'unavailable';

/** The message says what to do. It has no secret and no token. */
export class PowerbiError extends Error {
  override name = 'PowerbiError';
  readonly failure: PowerbiFailure;
  /** Seconds after which Power BI accepts the next request. */
  readonly retryAfter: number | undefined;

  constructor(
    failure: PowerbiFailure,
    message: string,
    { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/**
 * A failure without an answer, with its code. It has no cause: one of the client may have a token of the
 * answer, and a code such as ECONNREFUSED would look like a failure of the portal's own database.
 */
export const noAnswer = (service: string, error: unknown): PowerbiError =>
  new PowerbiError(
    'unavailable',
    `${service} did not answer (${findCode(error)}). Check that the portal can reach it; behind a proxy that decrypts TLS, set NODE_EXTRA_CA_CERTS.`,
  );

function findCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.cause ? findCode(error.cause) : error.name;
}

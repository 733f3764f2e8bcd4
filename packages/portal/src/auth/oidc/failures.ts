import * as oidc from 'openid-client';

/** Error codes of answers that do not follow the protocol. */
const brokenAnswers: ReadonlySet<string | undefined> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);

/** Whether the provider failed, not the sign-in. A wrong client secret is a configuration error. */
export function isProviderDown(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError)
    return error.status >= 500 || ['invalid_client', 'unauthorized_client'].includes(error.error);
  if (error instanceof oidc.ClientError) return brokenAnswers.has(error.code);
  return error instanceof TypeError;
}

/** Text for the log. The errors themselves may contain tokens or personal data. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error instanceof oidc.ResponseBodyError)
    return `the provider answered ${/^\w{1,50}$/.test(error.error) ? error.error : 'an error'}`;
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

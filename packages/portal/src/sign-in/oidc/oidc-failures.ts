import * as oidc from 'openid-client';

import { TooLargeError } from './limited-fetch.ts';

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
  // A syntax error quotes the text, which may be a token.
  return cause instanceof Error && !(cause instanceof SyntaxError)
    ? `${error.message}: ${cause.message}`
    : error.message;
}

/** Whether the userinfo endpoint answered for another subject. */
export const isOtherSubject = (error: unknown): boolean =>
  error instanceof oidc.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** OpenSSL's codes of certificates whose authority is unknown. */
const unknownAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

/** Whether the portal does not know the authority that issued the provider's certificate. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error &&
  (unknownAuthority.test(String((error as { code?: unknown }).code)) || isUntrusted(error.cause));

/** What is wrong with the discovery document of an issuer, for the operator who sets it. */
export function describeDiscovery(error: unknown): string {
  if (!(error instanceof oidc.ClientError)) return `cannot be read (${describeFailure(error)})`;
  const { code, cause } = error;
  if (code === 'OAUTH_TIMEOUT') return 'did not answer within five seconds';
  if (isTooLarge(error)) return 'is larger than 1 MB';
  if (cause instanceof Response && code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
    return `answered with the status ${cause.status}`;
  if (code === 'OAUTH_RESPONSE_IS_NOT_JSON' || code === 'OAUTH_PARSE_ERROR')
    return 'did not answer with JSON';
  if (isOtherSubject(error)) {
    const { body } = (cause ?? {}) as { body?: { issuer?: unknown } };
    return describeOtherIssuer(body?.issuer);
  }
  return `is not valid (${describeFailure(error)})`;
}

/** The library wraps what reading a body throws. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof TooLargeError || (error instanceof Error && isTooLarge(error.cause));

/** The address is encoded, because a log or terminal must not get its control characters. */
export function describeOtherIssuer(issuer: unknown): string {
  return typeof issuer === 'string' && URL.canParse(issuer)
    ? `names another issuer, ${new URL(issuer).href.slice(0, 500)}`
    : 'names an issuer that is not an address';
}

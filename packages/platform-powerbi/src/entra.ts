import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';

import * as oidc from 'openid-client';

import type { Credential } from './connection.ts';
import { noAnswer, PowerbiError } from './errors.ts';
import { readText } from './read-text.ts';

export interface AccessToken {
  value: string;
  expiresAt: Date;
}

interface Application {
  /** Origin of Microsoft Entra ID. */
  authority: string;
  tenant: string;
  clientId: string;
  credential: Credential;
}

/** Tokens are much smaller. */
const maxBytes = 1_000_000;

/**
 * Asks Microsoft Entra ID for an access token of the application itself.
 *
 * @throws `PowerbiError`: `sign-in` or `unavailable`
 */
export async function requestAccessToken(
  { authority, tenant, clientId, credential }: Application,
  scope: string,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => Date },
): Promise<AccessToken> {
  const endpoint = `${authority}/${tenant}/oauth2/v2.0/token`;
  const server = { issuer: `${authority}/${tenant}/v2.0`, token_endpoint: endpoint };
  const authentication = await authenticate(credential, endpoint);
  const client = new oidc.Configuration(server, clientId, undefined, authentication);
  client[oidc.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    const { status, headers } = response;
    return new Response((await readText(response, maxBytes)) || null, { status, headers });
  };
  client.timeout = 10;
  const askedAt = now().getTime();
  try {
    const { access_token: value, expires_in: seconds } = await oidc.clientCredentialsGrant(client, {
      scope,
    });
    if (seconds === undefined) throw new Error('the token has no end');
    // The error of a request with such a header would quote it.
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('the token has odd characters');
    return { value, expiresAt: new Date(askedAt + seconds * 1000) };
  } catch (error) {
    throw explain(error);
  }
}

async function authenticate(credential: Credential, endpoint: string): Promise<oidc.ClientAuth> {
  if (credential.kind === 'secret') return oidc.ClientSecretPost(credential.secret);
  const key = await readKey(credential.pem);
  const thumbprint = readThumbprint(credential.pem);
  return oidc.PrivateKeyJwt(key, {
    // Entra finds the certificate by its thumbprint, and wants its own address as the audience.
    [oidc.modifyAssertion]: (header, payload) => {
      header['x5t#S256'] = thumbprint;
      payload['aud'] = endpoint;
    },
  });
}

const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };

async function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  try {
    const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
    return await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  } catch (cause) {
    throw new PowerbiError(
      'sign-in',
      'The file of the certificate has no readable RSA key. Write the certificate and its private key without a password into it, in PEM.',
      { cause },
    );
  }
}

function readThumbprint(pem: string): string {
  try {
    const { raw } = new X509Certificate(pem);
    return createHash('sha256').update(raw).digest('base64url');
  } catch (cause) {
    throw new PowerbiError(
      'sign-in',
      'The file has no certificate. Write the certificate above its private key, in PEM.',
      { cause },
    );
  }
}

/** Entra's codes are stable, its sentences are not. Source: Microsoft's list of AADSTS codes. */
const advice: Record<string, string> = {
  AADSTS700016: 'The tenant does not know the application. Check tenant and client id.',
  AADSTS7000215: 'The secret is wrong. Copy the value of the secret, not its id.',
  AADSTS7000222: 'The secret has expired. Create a new one in Microsoft Entra ID.',
  AADSTS700027: 'The certificate is not one of the application. Upload it in Microsoft Entra ID.',
  AADSTS90002: 'There is no such tenant in this cloud. Check tenant and cloud.',
};

/** Errors of a request for a token. Source: RFC 6749, section 5.2. */
const oauthErrors: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
]);

function explain(error: unknown): PowerbiError {
  if (error instanceof oidc.ResponseBodyError) {
    if (error.status >= 500 || error.status === 429)
      return new PowerbiError(
        'unavailable',
        'Microsoft Entra ID does not work at the moment. Try again later.',
      );
    const code = /AADSTS\d{1,10}/.exec(error.error_description ?? '')?.[0];
    const name = oauthErrors.has(error.error) ? error.error : `status ${error.status}`;
    const known = advice[code ?? ''] ?? `Microsoft Entra ID answered ${code ?? name}.`;
    return new PowerbiError('sign-in', known);
  }
  return noAnswer('Microsoft Entra ID', error);
}

import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';

import type { RefusalReason } from '#admin/requests';

import { isConfidential } from '../../confidential.ts';
import { readVerification, type Claims } from './claims.ts';
import { limitedFetch } from './limited-fetch.ts';
import {
  describeDiscovery,
  describeFailure,
  describeOtherIssuer,
  isOtherSubject,
  isProviderDown,
} from './oidc-failures.ts';

/** The portal as a client of an organization's identity provider. */
export interface Client {
  issuer: string;
  clientId: string;
  /** `undefined` for a public client. */
  secret: string | undefined;
}

/** Random values of one sign-in, which prove that the answer belongs to the browser that began it. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider's claims about a person. */
export interface ProviderClaims {
  subject: string;
  email: unknown;
  /** `undefined` without a claim about it. */
  isEmailVerified: boolean | undefined;
  /** Seconds since 1970 at which the person authenticated. */
  authenticatedAt: number | undefined;
}

/** The provider did not answer, or violated the protocol. The sign-in was neither accepted nor refused. */
export class ProviderDownError extends Error {
  override name = 'ProviderDownError';
}

/** The sign-in is refused. The message is for the log only. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly reason: RefusalReason;
  readonly detail: string | undefined;
  /** The user in the log entry. Default: the user with the e-mail. */
  readonly userId: string | undefined;

  /** @param more.detail text without personal data and secrets */
  constructor(reason: RefusalReason, more: { detail?: string | undefined; userId?: string } = {}) {
    super(more.detail === undefined ? reason : `${reason}: ${more.detail}`);
    this.reason = reason;
    this.detail = more.detail;
    this.userId = more.userId;
  }
}

const timeoutSeconds = 5;

/** Discovery documents change rarely. Keys are fetched for each sign-in, since they rotate. */
const documents = new LRUCache<string, oidc.ServerMetadata>({ max: 500, ttl: 300_000 });

async function discover(issuer: string): Promise<oidc.ServerMetadata> {
  const cached = documents.get(issuer);
  if (cached) return cached;
  const document = await fetchDocument(issuer);
  documents.set(issuer, document);
  return document;
}

/**
 * Fetches the discovery document of an issuer, and checks it.
 *
 * @throws `ProviderDownError`
 */
async function fetchDocument(issuer: string): Promise<oidc.ServerMetadata> {
  const found = await oidc
    .discovery(new URL(issuer), 'portal', undefined, undefined, {
      timeout: timeoutSeconds,
      execute: insecureOnly(issuer),
      [oidc.customFetch]: limitedFetch,
    })
    .catch((error: unknown) => {
      throw new ProviderDownError(`the discovery document ${describeDiscovery(error)}`, {
        cause: error,
      });
    });
  const document: oidc.ServerMetadata = JSON.parse(JSON.stringify(found.serverMetadata()));
  // The library accepts another issuer from some providers.
  if (!URL.canParse(document.issuer) || new URL(document.issuer).href !== new URL(issuer).href)
    throw new ProviderDownError(`the discovery document ${describeOtherIssuer(document.issuer)}`);
  requireEndpoints(issuer, document);
  return document;
}

/**
 * Checks whether browsers can sign in at an issuer.
 *
 * @throws `ProviderDownError`
 */
export async function checkProvider(issuer: string): Promise<void> {
  await fetchDocument(issuer);
  documents.delete(issuer);
}

/**
 * Requires that each endpoint of a sign-in is an address over https, before browsers are sent to it and
 * the document is cached. A provider on this machine may use plain http.
 */
function requireEndpoints(issuer: string, document: oidc.ServerMetadata): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = document;
  const endpoints = { authorization_endpoint, token_endpoint, jwks_uri };
  const optional = userinfo_endpoint === undefined ? {} : { userinfo_endpoint };
  for (const [name, address] of Object.entries({ ...endpoints, ...optional })) {
    const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
    const isAllowed =
      url?.protocol === 'https:' || (url?.protocol === 'http:' && issuer.startsWith('http:'));
    if (!isAllowed || !isConfidential(url.href))
      throw new ProviderDownError(
        `the discovery document needs ${name} with an address that begins with https:`,
      );
  }
}

/** Plain http is for a provider on this machine. */
const insecureOnly = (issuer: string) =>
  issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];

async function configure({ issuer, clientId, secret }: Client): Promise<oidc.Configuration> {
  const document = await discover(issuer);
  const configuration = new oidc.Configuration(
    document,
    clientId,
    undefined,
    chooseAuthentication(document, secret),
  );
  configuration.timeout = timeoutSeconds;
  configuration[oidc.customFetch] = limitedFetch;
  oidc.enableNonRepudiationChecks(configuration);
  for (const extend of insecureOnly(issuer)) extend(configuration);
  return configuration;
}

function chooseAuthentication(
  { token_endpoint_auth_methods_supported: methods = [] }: oidc.ServerMetadata,
  secret: string | undefined,
): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const isBasic = methods.length === 0 || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

/**
 * The address at the provider where a person signs in.
 *
 * @param request.confirm the e-mail of the person who must authenticate again, if it is a confirmation
 * @throws `ProviderDownError`
 */
export function createAuthorizationUrl(
  client: Client,
  request: FlowSecrets & { redirectUri: string; confirm: string | undefined },
): Promise<URL> {
  return withProvider(async () => {
    const configuration = await configure(client);
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: request.redirectUri,
      scope: 'openid email',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(request.confirm !== undefined && {
        max_age: '0',
        prompt: 'login',
        login_hint: request.confirm,
      }),
    });
  });
}

/**
 * Exchanges the code of a sign-in for the provider's claims about the person.
 *
 * @param answer the address to which the provider sent the browser
 * @throws `ProviderDownError`, `RefusedError`
 */
export function redeemCode(
  client: Client,
  answer: URL,
  { state, nonce, verifier }: FlowSecrets,
): Promise<ProviderClaims> {
  return withProvider(async () => {
    const configuration = await configure(client);
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const isComplete = claims['email'] !== undefined && readVerification([claims]) !== undefined;
    const info = isComplete ? {} : await fetchInfo(configuration, tokens.access_token, claims.sub);
    const emails = [claims['email'], info['email']].filter((email) => email !== undefined);
    if (new Set(emails.map((email) => JSON.stringify(email).toLowerCase())).size > 1)
      throw new RefusedError('two_emails');
    return {
      subject: claims.sub,
      email: emails[0],
      isEmailVerified: readVerification([claims, info]),
      authenticatedAt: claims.auth_time,
    };
  });
}

/** Some providers send the e-mail, or the claim that it is verified, only from this endpoint. */
async function fetchInfo(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await oidc.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    throw isOtherSubject(error) ? new RefusedError('other_userinfo') : error;
  }
}

async function withProvider<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ProviderDownError || error instanceof RefusedError) throw error;
    const detail = describeFailure(error);
    throw isProviderDown(error)
      ? new ProviderDownError(detail)
      : new RefusedError('protocol', { detail });
  }
}

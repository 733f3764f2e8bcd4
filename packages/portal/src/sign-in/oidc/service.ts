import { endpoints } from '@portal-embed/contract';

import { inTransaction, type Database } from '../../db/connection/open.ts';
import { PortalError } from '../../errors.ts';
import { countProviderSignIn } from '../../limits/sign-in-attempts.ts';
import { createToken, isToken } from '../../secrets.ts';
import type { AdminSession } from '../admin-session.ts';
import { startSession, type Client, type NewSession } from '../service.ts';
import { ensureAccount, findAccountById, renewSession } from '../store.ts';
import { recordReason, type Attempted } from './oidc-refusals.ts';
import { redirectUriOf } from './oidc-variables.ts';
import * as provider from './provider.ts';
import { RefusedError, type ProviderClaims } from './provider.ts';
import * as store from './store.ts';

/** Dependencies of the sign-in with identity providers. */
export interface OidcServices {
  db: Database;
  /** Origin of the administration pages. */
  adminUrl: string;
  /** Client secrets by the slug of the organization. */
  secrets: ReadonlyMap<string, string>;
  /** Logs why a sign-in failed. The answer does not contain the reason. */
  onFailure: (reason: string) => void;
}

/** A started sign-in: the address to open, and the token of the browser's cookie. */
export interface StartedFlow {
  url: string;
  browser: string;
}

/** @throws `sign_in_failed` without an identity provider; `identity_provider_failed`, `rate_limited` */
export function startSignIn(
  scope: OidcServices,
  client: Client,
  organization: string,
): Promise<StartedFlow> {
  return answerFailures(scope, async (attempted) => {
    await countProviderSignIn(scope.db, client.network);
    const found = await store.findProviderBySlug(scope.db, organization);
    attempted.organizationId = found?.organization_id;
    return startFlow(scope, found);
  });
}

/** Makes the person of the session authenticate again. Throws like `startSignIn`. */
export function startConfirmation(
  scope: OidcServices,
  client: Client,
  { id, account }: AdminSession,
): Promise<StartedFlow> {
  return answerFailures(scope, async (attempted) => {
    await countProviderSignIn(scope.db, client.network);
    const { user, email } = account;
    const organizationId = user?.organization.id;
    Object.assign(attempted, { action: 'confirmWithOidc', organizationId, email });
    const found = user && (await store.findProviderBySlug(scope.db, user.organization.slug));
    return startFlow(scope, found ?? undefined, { sessionId: id, email });
  });
}

type Provider = NonNullable<Awaited<ReturnType<typeof store.findProviderById>>>;

async function startFlow(
  scope: OidcServices,
  found: Provider | undefined,
  confirmation?: { sessionId: string; email: string },
): Promise<StartedFlow> {
  if (!found) throw new RefusedError('no_provider');
  const flow = { state: createToken(), nonce: createToken(), verifier: createToken() };
  const url = await provider.createAuthorizationUrl(toClient(scope, found), {
    ...flow,
    redirectUri: redirectUriOf(scope),
    confirm: confirmation?.email,
  });
  const browser = createToken();
  const sessionId = confirmation?.sessionId;
  await store.insertFlow(scope.db, { ...flow, browser, providerId: found.id, sessionId });
  return { url: url.href, browser };
}

const toClient = ({ secrets }: OidcServices, { issuer, client_id: clientId, slug }: Provider) => ({
  issuer,
  clientId,
  secret: secrets.get(slug),
});

/** The parameters with which the provider redirected the browser. */
export interface ProviderAnswer {
  code?: string | undefined;
  /** The provider's error code, if it refused the sign-in. */
  error?: string | undefined;
  state: string;
  iss?: string | undefined;
}

/**
 * Finishes a sign-in or a confirmation. Works once, and only in the browser that started it.
 *
 * @param browser the token of the browser's cookie
 * @throws `sign_in_failed` with the same text for each reason; `identity_provider_failed`
 */
export function finishFlow(
  scope: OidcServices,
  client: Client,
  browser: unknown,
  { code, error, state, iss }: ProviderAnswer,
): Promise<NewSession & { isConfirmation: boolean }> {
  return answerFailures(scope, async (attempted) => {
    const { db } = scope;
    const flow = isToken(browser) ? await store.spendFlow(db, { state, browser }) : undefined;
    const found = flow && (await store.findProviderById(db, flow.provider_id));
    if (!found) throw new RefusedError('unknown_flow');
    attempted.organizationId = found.organization_id;
    if (flow.session_id !== null) attempted.action = 'confirmWithOidc';
    if (flow.is_expired) throw new RefusedError('expired_flow');
    if (code === undefined)
      throw new RefusedError('denied', { detail: /^\w{1,50}$/.exec(error ?? '')?.[0] });
    const answer = new URL(redirectUriOf(scope));
    answer.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString();
    const secrets = { state, nonce: flow.nonce, verifier: flow.verifier };
    const claims = await provider.redeemCode(toClient(scope, found), answer, secrets);
    attempted.email = claims.email;
    if (flow.session_id === null)
      return { ...(await signIn(db, client, found, claims)), isConfirmation: false };
    const since = flow.created_at;
    return { ...(await confirm(db, flow.session_id, since, claims)), isConfirmation: true };
  });
}

const { email: emailSchema } = endpoints.createUser.body.shape;

/** PostgreSQL stores no NUL and indexes no long texts. OpenID Connect allows 255 characters. */
const validSubject = /^[^\0]{1,255}$/;

/**
 * The first sign-in of a user stores their subject; later ones must have the same. A subject belongs to
 * one user, even if its e-mail at the provider now belongs to another user.
 */
async function signIn(
  db: Database,
  client: Client,
  { id: providerId, organization_id: organizationId, trust_emails: isTrusted }: Provider,
  { subject, email, isEmailVerified }: ProviderClaims,
): Promise<NewSession> {
  if (typeof email !== 'string') throw new RefusedError('no_email');
  if (!(isEmailVerified ?? isTrusted)) throw new RefusedError('unverified_email');
  if (!emailSchema.safeParse(email).success) throw new RefusedError('invalid_email');
  if (!validSubject.test(subject)) throw new RefusedError('protocol');
  return inTransaction(db, async (transaction) => {
    // Two first sign-ins of a subject must not store it for two users.
    await store.lockProvider(transaction, providerId);
    const owner = await store.findUserOfSubject(transaction, organizationId, subject);
    const user = await store.lockUserToSignIn(transaction, organizationId, email);
    if (owner !== undefined && owner !== user?.id)
      throw new RefusedError('other_email', { userId: owner });
    if (!user) throw new RefusedError('unknown_user');
    if (!user.may_sign_in) throw new RefusedError('not_allowed');
    if (user.subject === null)
      await store.saveSubject(transaction, { organizationId, id: user.id, subject });
    else if (user.subject !== subject) throw new RefusedError('other_subject');
    const accountId = await ensureAccount(transaction, { organizationId, userId: user.id });
    const account = await findAccountById(transaction, accountId);
    await store.noteSignIn(transaction, providerId);
    return startSession(transaction, client, account!, { providerId });
  });
}

/** Maximum difference between the clocks of the portal and the provider. */
const maxClockDifferenceMs = 30_000;

async function confirm(
  db: Database,
  sessionId: string,
  since: Date,
  { subject, authenticatedAt = 0 }: ProviderClaims,
): Promise<NewSession> {
  if (authenticatedAt * 1_000 < since.getTime() - maxClockDifferenceMs)
    throw new RefusedError('not_authenticated_again');
  if ((await store.findSessionSubject(db, sessionId)) !== subject)
    throw new RefusedError('other_person');
  const token = createToken();
  await renewSession(db, sessionId, token);
  return { token };
}

const advice = 'Try again; if the problem persists, ask the operator of the portal.';

/** Logs why a sign-in failed. The answer does not contain the reason, because anybody can request it. */
async function answerFailures<Result>(
  { db, onFailure }: OidcServices,
  operation: (attempted: Attempted) => Promise<Result>,
): Promise<Result> {
  const attempted: Attempted = { action: 'signIn' };
  try {
    return await operation(attempted);
  } catch (error) {
    const isDown = error instanceof provider.ProviderDownError;
    const refused = isDown
      ? new RefusedError('provider_failed', { detail: error.message })
      : toRefused(error);
    if (!refused) throw error;
    onFailure(isDown ? error.message : refused.message);
    const code = isDown ? 'identity_provider_failed' : 'sign_in_failed';
    await recordReason(db, attempted, code, refused);
    throw new PortalError(
      code,
      isDown
        ? 'The identity provider of your organization did not answer as expected, so nothing was changed.'
        : 'The sign-in with the identity provider failed.',
      { advice },
    );
  }
}

function toRefused(error: unknown): RefusedError | undefined {
  if (error instanceof RefusedError) return error;
  // The provider of the organization was changed during the sign-in.
  const isChanged = error instanceof PortalError && error.code === 'sign_in_failed';
  return isChanged ? new RefusedError('unknown_flow') : undefined;
}

import { userRoles } from '@portal-embed/contract';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { countAttempt, forgetAttempts, type Attempt } from '../limits/sign-in-attempts.ts';
import { createToken, isToken, sha256 } from '../secrets.ts';
import { createUser } from '../users/service.ts';
import { findUserByEmail } from '../users/store.ts';
import { toActor, type Account, type AdminSession } from './admin-session.ts';
import { hashPassword, requireStrongPassword, verifyPassword } from './password.ts';
import * as store from './store.ts';

/** Where a request to sign in comes from. */
export interface Client {
  /** Network of the client: see `identifyClient`. */
  network: string;
  userAgent: string;
}

/** A session and its token, which only the browser keeps. */
export interface NewSession {
  token: string;
}

export interface Credentials {
  organization: string | null;
  email: string;
  password: string;
}

/**
 * Signs in with a password.
 *
 * @throws `sign_in_failed` with the same text, after the same work, for an unknown organization or
 *   e-mail, a wrong password and a user who may not sign in; `rate_limited`
 */
export async function signIn(
  db: Database,
  client: Client,
  credentials: Credentials,
): Promise<NewSession> {
  const account = await store.findAccountByEmail(db, credentials);
  const attempt = await startAttempt(db, client, credentials, account?.id);
  const isRight = await verifyPassword(account?.passwordHash, credentials.password);
  if (!account || !isRight) throw wrongCredentials();
  await forgetAttempts(db, attempt);
  return startSession(db, client, account, { passwordHash: account.passwordHash! });
}

const wrongCredentials = () =>
  new PortalError('sign_in_failed', 'Organization, e-mail or password is wrong.', {
    advice:
      'Check them, or ask another administrator or the operator of the portal for a new invitation.',
  });

/**
 * Checks the password again and renews the session's token.
 *
 * @throws `sign_in_failed`, `rate_limited`
 */
export async function confirmPassword(
  db: Database,
  client: Client,
  session: AdminSession,
  password: string,
): Promise<NewSession> {
  const { id, email, user } = session.account;
  const organization = user?.organization.slug ?? null;
  const attempt = await startAttempt(db, client, { organization, email }, id);
  const account = await store.findAccountById(db, id);
  if (!(await verifyPassword(account?.passwordHash, password)))
    throw new PortalError('sign_in_failed', 'The password is wrong.', { advice: 'Try again.' });
  await forgetAttempts(db, attempt);
  const token = createToken();
  await store.renewSession(db, session.id, token);
  return { token };
}

async function startAttempt(
  db: Database,
  client: Client,
  { organization, email }: Omit<Credentials, 'password'>,
  accountId: string | undefined,
): Promise<Attempt> {
  const attempt = {
    account: JSON.stringify([organization, email]).toLowerCase(),
    client: client.network,
    isKnownClient:
      accountId !== undefined && (await store.isKnownClient(db, accountId, hashClient(client))),
  };
  await countAttempt(db, attempt);
  return attempt;
}

const hashClient = ({ network }: Client) => sha256(network);

/** @throws `sign_in_failed` if the checked credentials have changed in the meantime */
export async function startSession(
  db: Database,
  client: Client,
  account: Account,
  proof: store.Proof,
): Promise<NewSession> {
  const token = createToken();
  const session = {
    accountId: account.id,
    proof,
    token,
    userAgent: client.userAgent,
    clientHash: hashClient(client),
  };
  await recordAccountChange(db, account, 'signIn', async (transaction) => {
    if (!(await store.insertSession(transaction, session))) throw wrongCredentials();
  });
  return { token };
}

/** Records a change of a user's own account. Operators belong to no organization's log. */
const recordAccountChange = <Result>(
  db: Database,
  account: Account,
  action: 'signIn' | 'acceptInvitation' | 'changePassword',
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> =>
  account.user
    ? recordChange(
        { db, organizationId: account.user.organization.id, actor: toActor(account) },
        { action, subject: account.email },
        change,
      )
    : inTransaction(db, change);

/**
 * Finds the live session of a cookie.
 *
 * @throws `sign_in_required`
 */
export async function requireSession(db: Database, token: unknown): Promise<AdminSession> {
  const session = isToken(token) ? await store.findLiveSession(db, token) : undefined;
  if (session) return session;
  throw new PortalError('sign_in_required', 'You are not signed in, or your session has ended.', {
    advice: 'Sign in again.',
  });
}

/**
 * Invites a user to the administration pages, or renews their invitation, and returns the token of its
 * link. An e-mail without a user becomes a new administrator of the organization.
 *
 * @throws `invalid_request` for a viewer, or if the organization does not accept passwords
 */
export async function inviteUser(
  ctx: Context,
  { email, name }: { email: string; name?: string | undefined },
): Promise<{ token: string }> {
  requireAdministrator(ctx);
  const token = createToken();
  const activity = { action: 'inviteAdministrator', subject: email } as const;
  await recordChange(ctx, activity, async (transaction) => {
    const { organizationId } = ctx;
    const inTransactionCtx = { ...ctx, db: transaction };
    const user =
      (await findUserByEmail(transaction, organizationId, email)) ??
      (await createUser(inTransactionCtx, {
        email,
        name: name ?? email,
        role: userRoles.administrator,
      }));
    if (user.role === userRoles.viewer)
      throw new PortalError(
        'invalid_request',
        `${email} is a viewer. Change the role first: viewers cannot sign in to the administration.`,
      );
    const accountId = await store.ensureAccount(transaction, { organizationId, userId: user.id });
    if (!(await store.acceptsPasswords(transaction, organizationId)))
      throw new PortalError('invalid_request', withoutPasswords, {
        advice: 'Create the user, then send them the address of the administration portal.',
      });
    await store.saveInvitation(transaction, { accountId, token });
  });
  return { token };
}

/** @throws `invitation_ended` */
export async function findInvited(db: Database, token: string): Promise<store.FoundAccount> {
  return (isToken(token) ? await store.findInvited(db, token) : undefined) ?? throwEnded();
}

function throwEnded(): never {
  throw new PortalError('invitation_ended', 'This invitation was used or has expired.', {
    advice: 'Ask for a new one.',
  });
}

/**
 * Accepts an invitation: sets the first or another password, and starts a session.
 *
 * @throws `invitation_ended`; `weak_password`, which does not spend the invitation
 */
export async function acceptInvitation(
  db: Database,
  client: Client,
  { token, password }: { token: string; password: string },
): Promise<NewSession> {
  const account = await findInvited(db, token);
  return setPassword(db, client, account, 'acceptInvitation', password, async (transaction) => {
    if ((await store.spendInvitation(transaction, token)) === undefined) throwEnded();
  });
}

/**
 * Changes the password, ends all sessions of the account and starts a new one.
 *
 * @throws `weak_password`; `invalid_request` if the organization does not accept passwords
 */
export async function changePassword(
  db: Database,
  client: Client,
  { account }: AdminSession,
  password: string,
): Promise<NewSession> {
  if (!account.mayHavePassword) throw new PortalError('invalid_request', withoutPasswords);
  return setPassword(db, client, account, 'changePassword', password);
}

const withoutPasswords =
  'Users of this organization sign in with its identity provider only, so they have no password.';

async function setPassword(
  db: Database,
  client: Client,
  account: Account,
  action: 'acceptInvitation' | 'changePassword',
  password: string,
  before: (transaction: Database) => Promise<void> = async () => {},
): Promise<NewSession> {
  await requireStrongPassword(password, account.email);
  const passwordHash = await hashPassword(password);
  return recordAccountChange(db, account, action, async (transaction) => {
    await before(transaction);
    await store.setPassword(transaction, account.id, passwordHash);
    return startSession(transaction, client, account, { passwordHash });
  });
}

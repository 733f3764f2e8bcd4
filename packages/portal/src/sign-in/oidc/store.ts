import { sql, type Selectable } from 'kysely';

import type { Database } from '../../db/connection/open.ts';
import { emailKey } from '../../db/query/filters.ts';
import type { Schema } from '../../db/schema.ts';
import { sha256 } from '../../secrets.ts';
import { userMaySignIn } from '../store.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { FlowSecrets } from './provider.ts';

/** The identity provider of an organization. */
export type ProviderRow = Selectable<Schema['organization_oidc']>;

export const findProvider = (
  db: Database,
  organizationId: string,
): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('organization_oidc')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

type NamedProvider = ProviderRow & { slug: string };

const selectNamed = (db: Database) =>
  db
    .selectFrom('organization_oidc')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .selectAll('organization_oidc')
    .select('slug');

export const findProviderBySlug = (
  db: Database,
  slug: string,
): Promise<NamedProvider | undefined> =>
  selectNamed(db).where('slug', '=', slug.toLowerCase()).executeTakeFirst();

export const findProviderById = (db: Database, id: string): Promise<NamedProvider | undefined> =>
  selectNamed(db).where('organization_oidc.id', '=', id).executeTakeFirst();

/** Sets the provider under a new id, which invalidates unfinished sign-ins. */
export async function replaceProvider(
  db: Database,
  organizationId: string,
  provider: (ProviderSettings & { signedInAt: Date | null }) | undefined,
): Promise<void> {
  await db.deleteFrom('organization_oidc').where('organization_id', '=', organizationId).execute();
  if (!provider) return;
  const { issuer, clientId, passwords, trustEmails, signedInAt } = provider;
  await db
    .insertInto('organization_oidc')
    .values({
      organization_id: organizationId,
      issuer,
      client_id: clientId,
      passwords,
      trust_emails: trustEmails,
      signed_in_at: signedInAt,
    })
    .execute();
}

/** Deletes the subjects of all users, because another provider has other subjects. */
export async function forgetSubjects(db: Database, organizationId: string): Promise<void> {
  await sql`
    UPDATE users SET directory_ad_user = NULL FROM admin_accounts
    WHERE users.organization_id = ${organizationId} AND directory_ad_user IS NOT NULL
      AND admin_accounts.organization_id = users.organization_id
      AND user_id = users.id`.execute(db);
}

/** Ends the sessions of all users of an organization, including those that are being created. */
export async function endOrganizationSessions(db: Database, organizationId: string): Promise<void> {
  await sql`
    SELECT FROM admin_accounts WHERE organization_id = ${organizationId}
    ORDER BY id FOR NO KEY UPDATE`.execute(db);
  await sql`
    DELETE FROM admin_sessions USING admin_accounts
    WHERE admin_accounts.id = account_id AND organization_id = ${organizationId}`.execute(db);
}

export async function insertFlow(
  db: Database,
  flow: FlowSecrets & { browser: string; providerId: string; sessionId: string | undefined },
): Promise<void> {
  await db
    .insertInto('admin_oidc_flows')
    .values({
      state_hash: sha256(flow.state),
      browser_hash: sha256(flow.browser),
      provider_id: flow.providerId,
      session_id: flow.sessionId ?? null,
      nonce: flow.nonce,
      verifier: flow.verifier,
    })
    .execute();
}

export interface SpentFlow {
  provider_id: string;
  session_id: string | null;
  nonce: string;
  verifier: string;
  created_at: Date;
  is_expired: boolean;
}

/** Deletes a flow that this browser started, and returns it. Only one of several calls succeeds. */
export async function spendFlow(
  db: Database,
  { state, browser }: { state: string; browser: string },
): Promise<SpentFlow | undefined> {
  const { rows } = await sql<SpentFlow>`
    DELETE FROM admin_oidc_flows
    WHERE state_hash = ${sha256(state)} AND browser_hash = ${sha256(browser)}
    RETURNING provider_id, session_id, nonce, verifier, created_at,
      created_at <= now() - interval '10 minutes' AS is_expired`.execute(db);
  return rows[0];
}

/** Locks the provider against other sign-ins and changes until the transaction ends. */
export async function lockProvider(db: Database, id: string): Promise<void> {
  await sql`SELECT FROM organization_oidc WHERE id = ${id} FOR NO KEY UPDATE`.execute(db);
}

/** The id of the user with whom the subject has signed in before. */
export async function findUserOfSubject(
  db: Database,
  organizationId: string,
  subject: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('directory_ad_user', '=', subject)
    .executeTakeFirst();
  return found?.id;
}

interface UserToSignIn {
  id: string;
  subject: string | null;
  may_sign_in: boolean;
}

/** Finds the user with the e-mail, locked against changes until the transaction ends. */
export async function lockUserToSignIn(
  db: Database,
  organizationId: string,
  email: string,
): Promise<UserToSignIn | undefined> {
  const { rows } = await sql<UserToSignIn>`
    SELECT id, directory_ad_user AS subject, ${userMaySignIn} AS may_sign_in FROM users
    WHERE organization_id = ${organizationId} AND email_key = ${emailKey(email)}
    FOR NO KEY UPDATE`.execute(db);
  return rows[0];
}

/** PostgreSQL refuses parameters with NUL. */
const isStorable = (email: unknown): email is string =>
  typeof email === 'string' && !email.includes('\0');

/** Returns the stored e-mail of a user of the organization, found by id or, without an id, by e-mail. */
export async function findEmail(
  db: Database,
  organizationId: string,
  { userId, email }: { userId: string | undefined; email: unknown },
): Promise<string | undefined> {
  const isUser =
    userId === undefined
      ? sql<boolean>`email_key = ${isStorable(email) ? emailKey(email) : null}`
      : sql<boolean>`id = ${userId}`;
  const found = await db
    .selectFrom('users')
    .select('email')
    .where('organization_id', '=', organizationId)
    .where(isUser)
    .executeTakeFirst();
  return found?.email;
}

/** Notes that somebody has signed in with the provider. */
export async function noteSignIn(db: Database, providerId: string): Promise<void> {
  await db
    .updateTable('organization_oidc')
    .set({ signed_in_at: sql`now()` })
    .where('id', '=', providerId)
    .where('signed_in_at', 'is', null)
    .execute();
}

export async function saveSubject(
  db: Database,
  user: { organizationId: string; id: string; subject: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ directory_ad_user: user.subject })
    .where('organization_id', '=', user.organizationId)
    .where('id', '=', user.id)
    .execute();
}

/** The subject of the user of a session; `null` if they never signed in with the provider. */
export async function findSessionSubject(
  db: Database,
  sessionId: string,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ subject: string | null }>`
    SELECT directory_ad_user AS subject FROM admin_sessions
    JOIN admin_accounts ON admin_accounts.id = account_id
    JOIN users ON users.organization_id = admin_accounts.organization_id AND users.id = user_id
    WHERE admin_sessions.id = ${sessionId}`.execute(db);
  return rows[0]?.subject;
}

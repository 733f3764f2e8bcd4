import { userRoles, type UserRole } from '@portal-embed/contract';
import { sql, type RawBuilder } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { emailKey } from '../db/query/filters.ts';
import { sha256 } from '../secrets.ts';
import type { Account, AdminSession } from './admin-session.ts';

interface AccountRow {
  account_id: string;
  password_hash: string | null;
  email: string;
  name: string;
  user_id: string | null;
  role: UserRole | null;
  organization_id: string | null;
  slug: string | null;
  time_zone: string | null;
  language: string | null;
  organization_name: string | null;
  passwords: boolean;
  issuer: string | null;
}

/** Viewers have no access to the administration, and neither have expired users. */
export const userMaySignIn = sql`(users.role <> ${sql.lit(userRoles.viewer)}
  AND (users.expiration_date <= now()) IS NOT TRUE)`;

const maySignIn = sql`(operators.id IS NOT NULL OR ${userMaySignIn})`;

const accounts = sql`admin_accounts
  LEFT JOIN operators ON operators.id = admin_accounts.operator_id
  LEFT JOIN users ON users.organization_id = admin_accounts.organization_id
    AND users.id = admin_accounts.user_id
  LEFT JOIN organizations ON organizations.id = admin_accounts.organization_id
  LEFT JOIN organization_oidc ON organization_oidc.organization_id = admin_accounts.organization_id`;

/** An organization can accept only its identity provider. */
const passwordsAccepted = sql<boolean>`(organization_oidc.passwords IS NOT FALSE)`;

const accountColumns = sql`admin_accounts.id AS account_id, password_hash, users.id AS user_id,
  coalesce(users.email, operators.email) AS email, coalesce(users.name, operators.name) AS name,
  users.role, organizations.id AS organization_id, slug, organizations.name AS organization_name, time_zone, language,
  ${passwordsAccepted} AS passwords, issuer`;

function toAccount(row: AccountRow): Account {
  const { account_id: id, email, name, issuer, passwords: mayHavePassword } = row;
  const hasPassword = mayHavePassword && row.password_hash !== null;
  const common = { id, email, name, hasPassword, mayHavePassword, issuer };
  if (row.user_id === null) return { ...common, user: null };
  const organization = {
    id: row.organization_id!,
    slug: row.slug!,
    timeZone: row.time_zone!,
    language: row.language,
    name: row.organization_name!,
  };
  return { ...common, user: { id: row.user_id, role: row.role!, organization } };
}

/** The hash is `null` also if the organization does not accept passwords. */
export type FoundAccount = Account & { passwordHash: string | null };

async function findAccount(
  db: Database,
  condition: RawBuilder<unknown>,
): Promise<FoundAccount | undefined> {
  const { rows } = await sql<AccountRow>`
    SELECT ${accountColumns} FROM ${accounts} WHERE ${maySignIn} AND ${condition}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const account = toAccount(row);
  return { ...account, passwordHash: account.hasPassword ? row.password_hash : null };
}

/** Finds an account that may sign in. */
export const findAccountByEmail = (
  db: Database,
  { organization, email }: { organization: string | null; email: string },
): Promise<FoundAccount | undefined> =>
  findAccount(
    db,
    organization === null
      ? sql`operators.email_key = ${emailKey(email)}`
      : sql`slug = ${organization.toLowerCase()} AND users.email_key = ${emailKey(email)}`,
  );

export const findAccountById = (db: Database, id: string): Promise<FoundAccount | undefined> =>
  findAccount(db, sql`admin_accounts.id = ${id}`);

/** Creates the account of a user or operator unless there is one, and returns its id. */
export async function ensureAccount(
  db: Database,
  owner: { organizationId: string; userId: string } | { operatorId: string },
): Promise<string> {
  const values =
    'operatorId' in owner
      ? sql`NULL::uuid, NULL::uuid, ${owner.operatorId}::uuid`
      : sql`${owner.organizationId}::uuid, ${owner.userId}::uuid, NULL::uuid`;
  const { rows } = await sql<{ id: string }>`
    WITH owner (organization_id, user_id, operator_id) AS (VALUES (${values})), created AS (
      INSERT INTO admin_accounts (organization_id, user_id, operator_id) SELECT * FROM owner
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT id FROM created UNION ALL
    SELECT id FROM admin_accounts JOIN owner USING (organization_id, user_id) UNION ALL
    SELECT id FROM admin_accounts JOIN owner USING (operator_id)`.execute(db);
  return rows[0]!.id;
}

/** Whether the users of the organization may sign in with a password. */
export async function acceptsPasswords(db: Database, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM organization_oidc
    WHERE organization_id = ${organizationId} AND NOT passwords`.execute(db);
  return rows.length === 0;
}

export async function saveInvitation(
  db: Database,
  { accountId, token }: { accountId: string; token: string },
): Promise<void> {
  await sql`
    INSERT INTO admin_invitations (account_id, token_hash, expires_at)
    VALUES (${accountId}, ${sha256(token)}, now() + interval '24 hours')
    ON CONFLICT (account_id) DO UPDATE
    SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`.execute(db);
}

/** The account of a live invitation. */
export const findInvited = (db: Database, token: string): Promise<FoundAccount | undefined> =>
  findAccount(
    db,
    sql`admin_accounts.id = (
      SELECT account_id FROM admin_invitations
      WHERE token_hash = ${sha256(token)} AND expires_at > now()
    ) AND ${passwordsAccepted}`,
  );

/** Deletes a live invitation, and returns its account. One of several simultaneous calls succeeds. */
export async function spendInvitation(db: Database, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`
    DELETE FROM admin_invitations WHERE token_hash = ${sha256(token)} AND expires_at > now()
    RETURNING account_id`.execute(db);
  return rows[0]?.account_id;
}

/** Sets the password, and ends the account's sessions and invitation. */
export async function setPassword(
  db: Database,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('admin_accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute();
  await db.deleteFrom('admin_invitations').where('account_id', '=', accountId).execute();
  await db.deleteFrom('admin_sessions').where('account_id', '=', accountId).execute();
}

/** Maximum length of a stored user agent, which pages show to tell sessions apart. */
const maxUserAgent = 300;

/** The checked credentials: a password, or a sign-in at an identity provider. */
export type Proof = { passwordHash: string } | { providerId: string };

/**
 * Creates a session. Returns false, and creates none, if the password or the identity provider has
 * changed since it was checked.
 */
export async function insertSession(
  db: Database,
  session: {
    accountId: string;
    proof: Proof;
    token: string;
    userAgent: string;
    clientHash: Buffer;
  },
): Promise<boolean> {
  const { accountId, proof, token, clientHash } = session;
  // A separate statement, so that the next one sees changes made while this one waited for the lock.
  await sql`SELECT FROM admin_accounts WHERE id = ${accountId} FOR SHARE`.execute(db);
  const isStillValid =
    'providerId' in proof
      ? sql`organization_oidc.id = ${proof.providerId}`
      : sql`password_hash = ${proof.passwordHash} AND ${passwordsAccepted}`;
  const { numAffectedRows } = await sql`
    INSERT INTO admin_sessions (token_hash, account_id, user_agent)
    SELECT ${sha256(token)}, admin_accounts.id, ${session.userAgent.slice(0, maxUserAgent)}
    FROM admin_accounts LEFT JOIN organization_oidc USING (organization_id)
    WHERE admin_accounts.id = ${accountId} AND ${isStillValid}`.execute(db);
  await sql`
    INSERT INTO admin_known_clients (account_id, client_hash) VALUES (${accountId}, ${clientHash})
    ON CONFLICT (account_id, client_hash) DO UPDATE SET seen_at = now()`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether the account has signed in from this network in the last 30 days. */
export async function isKnownClient(
  db: Database,
  accountId: string,
  clientHash: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM admin_known_clients WHERE account_id = ${accountId}
      AND client_hash = ${clientHash} AND seen_at > now() - interval '30 days'`.execute(db);
  return rows.length > 0;
}

const isSessionLive = sql`(admin_sessions.touched_at > now() - interval '30 minutes'
  AND admin_sessions.created_at > now() - interval '12 hours')`;

/** Whether a live session with this id belongs to an administrator or operator. */
export const isAdministratorSession = (id: RawBuilder<unknown>) => sql<boolean>`EXISTS (
  SELECT FROM admin_sessions JOIN ${accounts} ON admin_accounts.id = account_id
  WHERE admin_sessions.id = ${id} AND ${isSessionLive} AND ${maySignIn}
    AND (operators.id IS NOT NULL OR users.role = ${sql.lit(userRoles.administrator)})
)`;

/**
 * Finds a live session. It ends 30 minutes after its last use, twelve hours after its start, and when
 * its account may no longer sign in. Its last use is written at most once a minute.
 */
export async function findLiveSession(
  db: Database,
  token: string,
): Promise<AdminSession | undefined> {
  const { rows } = await sql<AccountRow & { session_id: string; seconds: number }>`
    WITH live AS (
      SELECT ${accountColumns}, admin_sessions.id AS session_id, touched_at,
        extract(epoch FROM now() - authenticated_at)::integer AS seconds
      FROM admin_sessions JOIN ${accounts} ON admin_accounts.id = account_id
      WHERE token_hash = ${sha256(token)} AND ${isSessionLive} AND ${maySignIn}
    ), touched AS (
      UPDATE admin_sessions SET touched_at = now()
      FROM live WHERE admin_sessions.id = live.session_id
        AND admin_sessions.touched_at < now() - interval '1 minute'
    )
    SELECT * FROM live`.execute(db);
  const [row] = rows;
  return (
    row && {
      id: row.session_id,
      account: toAccount(row),
      authenticatedSecondsAgo: row.seconds,
    }
  );
}

export interface SessionRow {
  id: string;
  user_agent: string;
  created_at: Date;
  touched_at: Date;
}

export async function listSessions(db: Database, accountId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    SELECT id, user_agent, created_at, touched_at FROM admin_sessions
    WHERE account_id = ${accountId} AND ${isSessionLive}
    ORDER BY touched_at DESC, id`.execute(db);
  return rows;
}

export async function deleteSession(
  db: Database,
  session: { accountId: string; id: string },
): Promise<void> {
  await db
    .deleteFrom('admin_sessions')
    .where('account_id', '=', session.accountId)
    .where('id', '=', session.id)
    .execute();
}

/** Replaces the token of a session after the person was confirmed, so that a copied one is worthless. */
export async function renewSession(db: Database, id: string, token: string): Promise<void> {
  await sql`
    UPDATE admin_sessions SET token_hash = ${sha256(token)}, authenticated_at = now()
    WHERE id = ${id}`.execute(db);
}

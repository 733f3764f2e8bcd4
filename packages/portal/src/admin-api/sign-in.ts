import type { AdminIdentity } from '#admin/requests';

import { freshForSeconds, type AdminSession } from '../sign-in/admin-session.ts';
import {
  acceptInvitation,
  changePassword,
  confirmPassword,
  findInvited,
  requireSession,
  signIn,
  type NewSession,
} from '../sign-in/service.ts';
import { deleteSession, listSessions } from '../sign-in/store.ts';
import type { AdminHandlers, SignedInCall, AdminCall } from './mount.ts';

export const signInRoutes = {
  readIdentity: async ({ session }) => presentIdentity(session),
  signIn: async (call, credentials) =>
    startSession(call, await signIn(call.hotPathDb, call.client, credentials)),
  signOut: async (call) => {
    await endSession(call, call.session.id);
    return {};
  },
  confirmPassword: async (call, { password }) => {
    const { hotPathDb, client, session } = call;
    call.setSession(await confirmPassword(hotPathDb, client, session, password));
    return {};
  },
  checkInvitation: async ({ hotPathDb }, { token }) => {
    const { email, name, user } = await findInvited(hotPathDb, token);
    return { email, name, organizationName: user?.organization.name ?? null };
  },
  acceptInvitation: async (call, input) =>
    startSession(call, await acceptInvitation(call.hotPathDb, call.client, input)),
  changePassword: async (call, { password }) =>
    startSession(call, await changePassword(call.hotPathDb, call.client, call.session, password)),
  listAccountSessions: async ({ hotPathDb, session }) => {
    const rows = await listSessions(hotPathDb, session.account.id);
    return {
      sessions: rows.map((row) => ({
        id: row.id,
        userAgent: row.user_agent,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.touched_at.toISOString(),
        isCurrent: row.id === session.id,
      })),
    };
  },
  endAccountSession: async (call, { sessionId }) => {
    await endSession(call, sessionId);
    return {};
  },
} satisfies Partial<AdminHandlers>;

/** Gives the browser the session, and answers who has signed in. */
async function startSession(call: AdminCall, created: NewSession): Promise<AdminIdentity> {
  call.setSession(created);
  return presentIdentity(await requireSession(call.hotPathDb, created.token));
}

async function endSession(
  { hotPathDb, session, setSession }: SignedInCall,
  id: string,
): Promise<void> {
  await deleteSession(hotPathDb, { accountId: session.account.id, id });
  if (id === session.id) setSession(undefined);
}

function presentIdentity({ account, authenticatedSecondsAgo }: AdminSession): AdminIdentity {
  const { email, name, user, hasPassword, mayHavePassword, issuer } = account;
  return {
    kind: user ? 'user' : 'operator',
    email,
    name,
    role: user?.role ?? null,
    organization: user?.organization ?? null,
    hasPassword,
    mayHavePassword,
    provider: issuer && new URL(issuer).host,
    freshForSeconds,
    authenticatedSecondsAgo,
  };
}

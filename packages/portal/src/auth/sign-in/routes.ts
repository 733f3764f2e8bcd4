import type { AdminIdentity } from '#wire/admin/sign-in.ts';

import type { AdminHandlers, SignedInVisit, Visit } from '../../http/admin-endpoints.ts';
import {
  acceptInvitation,
  changePassword,
  confirmPassword,
  findInvited,
  requireSession,
  signIn,
  type NewSession,
} from './service.ts';
import { freshForSeconds, type AdminSession } from './session.ts';
import { deleteSession, listSessions } from './store.ts';

export const signInRoutes = {
  readIdentity: async ({ session }) => presentIdentity(session),
  signIn: async (visit, credentials) =>
    startSession(visit, await signIn(visit.hot, visit.client, credentials)),
  signOut: async (visit) => {
    await endSession(visit, visit.session.id);
    return {};
  },
  confirmPassword: async (visit, { password }) => {
    const { hot, client, session } = visit;
    visit.setSession(await confirmPassword(hot, client, session, password));
    return {};
  },
  checkInvitation: async ({ hot }, { token }) => {
    const { email, name, user } = await findInvited(hot, token);
    return { email, name, organizationName: user?.organization.name ?? null };
  },
  acceptInvitation: async (visit, input) =>
    startSession(visit, await acceptInvitation(visit.hot, visit.client, input)),
  changePassword: async (visit, { password }) =>
    startSession(visit, await changePassword(visit.hot, visit.client, visit.session, password)),
  listAccountSessions: async ({ hot, session }) => {
    const rows = await listSessions(hot, session.account.id);
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
  endAccountSession: async (visit, { sessionId }) => {
    await endSession(visit, sessionId);
    return {};
  },
} satisfies Partial<AdminHandlers>;

/** Gives the browser the session, and answers who has signed in. */
async function startSession(visit: Visit, created: NewSession): Promise<AdminIdentity> {
  visit.setSession(created);
  return presentIdentity(await requireSession(visit.hot, created.token));
}

async function endSession({ hot, session, setSession }: SignedInVisit, id: string): Promise<void> {
  await deleteSession(hot, { accountId: session.account.id, id });
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

import { createMinter } from '@portal-embed/host';
import type { Context } from 'hono';
import { getIronSession } from 'iron-session';

import { tenants } from './tenants.ts';

/** What your sign-in saves in the session. */
interface Session {
  user?: { email: string; hostName: string; region: string };
}

const sessionOptions = { cookieName: 'session', password: process.env['SESSION_SECRET']! };

// #region mint
export const mint = createMinter({
  allowOpen: true,
  tenants,
  user: async ({ req, res }: Context) =>
    (await getIronSession<Session>(req.raw, res, sessionOptions)).user,
  authorize: ({ user }) => ({ lockedFilters: [{ key: 'Superstore/Region', value: user.region }] }),
});
// #endregion

import { createMinter } from '@portal-embed/host';
import type { Minter } from '@portal-embed/host';
import { getIronSession } from 'iron-session';

import { tenants } from './tenants.js';

/** What your sign-in saves in the session. */
export interface Session {
  user?: { email: string; hostName: string; region: string };
}

export const sessionOptions = { cookieName: 'session', password: process.env['SESSION_SECRET']! };

let mint: Minter<Request> | undefined;

/** Created at the first request, because the variables may be missing during `next build`. */
export const getMint = () =>
  (mint ??= createMinter({
    allowOpen: true,
    tenants,
    user: async (request) =>
      (await getIronSession<Session>(request, new Response(), sessionOptions)).user,
    // Next.js builds `request.url` from the host name that it listens on.
    origin: ({ headers }) => `${headers.get('x-forwarded-proto')}://${headers.get('host')}`,
    authorize: ({ user }) => ({
      lockedFilters: [{ key: 'Superstore/Region', value: user.region }],
    }),
  }));

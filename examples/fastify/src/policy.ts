import { createMinter } from '@portal-embed/host';
import type { FastifyRequest } from 'fastify';
import { getIronSession } from 'iron-session';

const tenant = (name: string, env = process.env) => ({
  apiUrl: env['REPORTS_URL']!,
  apiKey: env[`${name}_API_KEY`]!,
  organizationId: env[`${name}_ORGANIZATION_ID`]!,
  portalUrl: env[`${name}_BASE_URL`]!,
  allowedOrigins: [`https://www.${name.toLowerCase()}.example`],
});

/** What your sign-in saves in the session. */
interface Session {
  user?: { email: string; hostName: string; region: string };
}

const sessionOptions = { cookieName: 'session', password: process.env['SESSION_SECRET']! };

// #region mint
export const mint = createMinter({
  allowOpen: true,
  tenants: { 'acme.localhost': tenant('ACME'), 'globex.localhost': tenant('GLOBEX') },
  user: async ({ raw }: FastifyRequest) =>
    (await getIronSession<Session>(raw, new Response(), sessionOptions)).user,
  origin: ({ protocol, host }) => `${protocol}://${host}`,
  // Fastify has parsed the body before its handler runs.
  body: (request) => request.body,
  authorize: ({ user }) => ({ lockedFilters: [{ key: 'Superstore/Region', value: user.region }] }),
});
// #endregion

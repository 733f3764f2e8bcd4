import { portalEmbed } from '@portal-embed/express';
import type { RequestHandler } from 'express';
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

export const hostEndpoint: RequestHandler = portalEmbed({
  allowOpen: true,
  tenants: { 'acme.localhost': tenant('ACME'), 'globex.localhost': tenant('GLOBEX') },
  user: async (req) => (await getIronSession<Session>(req, new Response(), sessionOptions)).user,
  authorize: ({ user }) => ({ lockedFilters: [{ key: 'Superstore/Region', value: user.region }] }),
});

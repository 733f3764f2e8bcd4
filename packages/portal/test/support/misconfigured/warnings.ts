import { secret, type Misconfiguration, type Stage } from './stage.ts';

const serveWith =
  (more: Record<string, string>, user = 'runs') =>
  ({ url }: Stage): Record<string, string> => ({
    PORTAL_DATABASE_URL: url('portal', user),
    ...more,
  });

/** Settings that are valid, but probably mistakes: the server starts and logs a warning. */
export const warnedMistakes: readonly Misconfiguration[] = [
  {
    mistake: 'a variable of another program',
    env: serveWith({ PORTAL_DB_URL: `postgres://portal:${secret}@db/portal` }),
    code: 'listens',
    says: 'PORTAL_DB_URL is not a setting of the portal and has no effect',
  },
  {
    mistake: 'an empty variable',
    env: serveWith({ PORTAL_PUBLIC_URL: '' }),
    code: 'listens',
    says: 'Empty, so the default applies: PORTAL_PUBLIC_URL',
  },
  {
    mistake: 'trust in every proxy',
    env: serveWith({ PORTAL_TRUST_PROXY: 'true' }),
    code: 'listens',
    says: 'PORTAL_TRUST_PROXY=true trusts every sender',
  },
  {
    mistake: 'more memory than the machine has',
    env: serveWith({ PORTAL_ENGINE_MEMORY: '10000000' }),
    code: 'listens',
    says: '(PORTAL_ENGINE_MEMORY + PORTAL_CACHE_MEMORY), but this machine or container has',
  },
  {
    mistake: 'a public URL in plain http',
    env: serveWith({ PORTAL_PUBLIC_URL: 'http://portal.example.com' }),
    code: 'listens',
    says: 'is plain http beyond this machine, so there are no administration pages',
  },
  {
    mistake: 'an administration at the address of an organization',
    env: serveWith({
      PORTAL_PUBLIC_URL: 'https://portal.example.com',
      PORTAL_ADMIN_URL: 'https://acme.portal.example.com',
    }),
    code: 'listens',
    says: 'has the host name of an address of the organization acme',
  },
  {
    mistake: 'the client secret of an unknown organization',
    env: serveWith({ PORTAL_OIDC_SECRET_ACNE: secret }),
    code: 'listens',
    says: 'PORTAL_OIDC_SECRET_ACNE is for the organization acne, which does not exist',
  },
  {
    mistake: 'a connection that no organization may use',
    env: serveWith({ PORTAL_CONNECTION_WAREHOUSE: `postgres://reports:${secret}@db/shop` }),
    code: 'listens',
    says: 'PORTAL_CONNECTION_WAREHOUSE defines a connection that no organization may use',
  },
  {
    mistake: 'the owner of the tables as the role that runs the portal',
    env: serveWith({ PORTAL_MIGRATE: 'off' }, 'portal'),
    code: 'listens',
    says: 'PORTAL_MIGRATE is off, but the role "portal" of PORTAL_DATABASE_URL may change the tables',
  },
  {
    mistake: 'more connections than the role may open',
    env: serveWith({}, 'few'),
    code: 'listens',
    says: 'opens up to 12 connections (PORTAL_DATABASE_CONNECTIONS + 2), but the role "few" may open 4',
  },
  {
    mistake: 'the database of no organization',
    env: ({ url }) => ({ PORTAL_DATABASE_URL: url('fresh', 'runs') }),
    code: 'listens',
    says: 'The database has no organization, so /readyz answers 503',
  },
];

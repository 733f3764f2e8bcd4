import { portalEmbed } from '@portal-embed/express';
import type { Tenants } from '@portal-embed/express';
import express from 'express';
import type { Express } from 'express';
import { expressjwt } from 'express-jwt';
import type { Request as JwtRequest } from 'express-jwt';

export const secret = 'replace me';

export function createApp(tenants: Tenants): Express {
  const app = express();
  // #region mount
  app.use(
    '/portal-embed',
    // The audience of a token is its host name. A token without one would be valid anywhere.
    expressjwt({ secret, algorithms: ['HS256'], credentialsRequired: false }),
    portalEmbed({
      tenants,
      user: ({ auth }: JwtRequest<{ email: string; aud?: unknown }>) =>
        typeof auth?.aud === 'string' ? { email: auth.email, hostName: auth.aud } : null,
    }),
  );
  // #endregion
  return app;
}

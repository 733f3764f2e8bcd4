import { ExpressAuth, getSession } from '@auth/express';
import Credentials from '@auth/express/providers/credentials';
import { portalEmbed } from '@portal-embed/express';

import { tenants } from './tenants.js';

const config = {
  secret: process.env.SESSION_SECRET,
  trustHost: true,
  providers: [
    // Stands for your own provider.
    Credentials({ credentials: { email: {} }, authorize: ({ email }) => ({ email }) }),
  ],
};

export async function requireSignIn(req, res, next) {
  if (await getSession(req, config)) next();
  else res.redirect(307, '/auth/signin');
}

export function mount(app) {
  // #region mount
  app.use('/auth', ExpressAuth(config));
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants,
      user: async (req) => (await getSession(req, config))?.user ?? null,
    }),
  );
  app.use(requireSignIn);
  // #endregion
}

import { ExpressAuth, getSession } from '@auth/express';
import { portalEmbed } from '@portal-embed/express';

import { config, requireSignIn } from './auth-config.js';
import { tenants } from './tenants.js';

export function mount(app) {
  // #region mount
  app.use('/auth', ExpressAuth(config));
  app.use(
    '/portal-embed',
    portalEmbed({ tenants, user: async (req) => (await getSession(req, config))?.user ?? null }),
  );
  app.use(requireSignIn);
  // #endregion
}

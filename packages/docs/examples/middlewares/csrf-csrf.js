import { portalEmbed } from '@portal-embed/express';
import cookieParser from 'cookie-parser';
import { doubleCsrf } from 'csrf-csrf';

import { tenants } from './tenants.js';

/** Call it after the session. */
export function mount(app) {
  app.use(cookieParser());
  // #region skip
  const { doubleCsrfProtection } = doubleCsrf({
    getSecret: () => process.env.SESSION_SECRET,
    getSessionIdentifier: (req) => req.session.id,
    skipCsrfProtection: (req) => req.path.startsWith('/portal-embed/'),
  });
  // #endregion
  app.use(doubleCsrfProtection);
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
}

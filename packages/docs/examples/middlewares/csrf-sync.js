import { portalEmbed } from '@portal-embed/express';
import { csrfSync } from 'csrf-sync';

import { tenants } from './tenants.js';

/** Call it after the session. */
export function mount(app) {
  // #region skip
  const { csrfSynchronisedProtection } = csrfSync({
    skipCsrfProtection: (req) => req.path.startsWith('/portal-embed/'),
  });
  // #endregion
  app.use(csrfSynchronisedProtection);
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
}

import { portalEmbed } from '@portal-embed/express';
import lusca from 'lusca';

import { tenants } from './tenants.js';

/** Call it after the session. */
export function mount(app) {
  // #region mount
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
  app.use(lusca.csrf());
  // #endregion
}

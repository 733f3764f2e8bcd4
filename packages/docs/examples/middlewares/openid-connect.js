import { portalEmbed } from '@portal-embed/express';
import openIdConnect from 'express-openid-connect';

import { tenants } from './tenants.js';

const { auth, requiresAuth } = openIdConnect;

export const settings = {
  authorizationParams: { response_type: 'code', scope: 'openid email' },
};

export function mount(app) {
  // #region mount
  app.use(auth({ ...settings, authRequired: false }));
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.oidc.user ?? null }));
  app.use(requiresAuth());
  // #endregion
}

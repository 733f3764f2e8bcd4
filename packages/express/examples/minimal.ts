// #region app
import { portalCsp, portalEmbed } from '@portal-embed/express';

const tenants = {
  'acme.app.example': {
    apiUrl: 'https://portal.example',
    apiKey: process.env['ACME_PORTAL_KEY']!,
    organizationId: process.env['ACME_ORGANIZATION_ID']!,
    portalUrl: 'https://acme.portal.example',
  },
};
// #endregion

import express, { type Express } from 'express';
import session from 'express-session';
import helmet from 'helmet';

declare module 'express-session' {
  interface SessionData {
    user: { email: string; hostName: string };
  }
}

const app: Express = express();
// #region mount
app.use(helmet(), portalCsp({ tenants }));
app.use(
  session({ secret: process.env['SESSION_SECRET']!, resave: false, saveUninitialized: false }),
);
app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
// #endregion

export { app };

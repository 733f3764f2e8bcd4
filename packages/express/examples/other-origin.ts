import { isCrossSite, portalEmbed } from '@portal-embed/express';
import type { Tenant } from '@portal-embed/express';
import express from 'express';
import type { Express } from 'express';
import session from 'express-session';

import { checkPassword } from './check-password.ts';

export function createApp(tenant: Tenant): Express {
  const app = express();
  app.set('trust proxy', 'loopback');
  // #region mount
  const allowedOrigins = ['https://www.acme.example'];
  app.use(
    session({
      secret: process.env['SESSION_SECRET'] ?? 'replace me',
      resave: false,
      saveUninitialized: false,
      cookie: { secure: true, sameSite: 'none' },
    }),
  );
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants: { 'api.acme-app.example': { ...tenant, allowedOrigins } },
      user: (req) => req.session.user ?? null,
    }),
  );
  app.use((req, res, next) => {
    if (isCrossSite(req, new Set(allowedOrigins))) res.sendStatus(403);
    else next();
  });
  // #endregion
  app.post('/sign-in', express.json({ inflate: false }), (req, res) => {
    const { email, password } = req.body as { email: string; password: string };
    if (!checkPassword(email, password)) {
      res.sendStatus(401);
      return;
    }
    req.session.user = { email, hostName: req.hostname };
    res.sendStatus(204);
  });
  return app;
}

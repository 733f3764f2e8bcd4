import { portalEmbed } from '@portal-embed/express';
import type { Tenants } from '@portal-embed/express';
import express from 'express';
import type { Express } from 'express';
import session from 'express-session';

import { checkPassword } from './check-password.ts';

// #region session
declare module 'express-session' {
  interface SessionData {
    user: { email: string; hostName: string };
  }
}
// #endregion

export function addSignIn(app: Express): void {
  app.post('/sign-in', express.json({ inflate: false }), (req, res) => {
    const { email, password } = req.body as { email: string; password: string };
    if (!checkPassword(email, password)) {
      res.sendStatus(401);
      return;
    }
    // #region sign-in
    req.session.regenerate(() => {
      req.session.user = { email, hostName: req.hostname };
      res.sendStatus(204);
    });
    // #endregion
  });
}

export function createApp(tenants: Tenants): Express {
  const app = express();
  app.use(session({ secret: 'replace me', resave: false, saveUninitialized: false }));
  addSignIn(app);

  // #region mount
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
  // #endregion
  return app;
}

import { promisify } from 'node:util';

import { isCrossSite, portalEmbed } from '@portal-embed/express';
import type { Tenants } from '@portal-embed/express';
import express from 'express';
import type { Express, Request } from 'express';
import session from 'express-session';

import { addSignIn } from './express-session.ts';

export function createApp(tenants: Tenants): Express {
  const app = express();
  app.use(
    session({
      secret: 'replace me',
      resave: false,
      saveUninitialized: false,
      cookie: { sameSite: 'lax' },
    }),
  );
  addSignIn(app);

  // #region mount
  const embed = portalEmbed({
    tenants,
    user: (req) => req.session.user ?? null,
    allowOpen: true,
  });
  app.use('/portal-embed', embed);
  // #endregion

  // #region sign-out
  async function signOut(req: Request) {
    const { user } = req.session;
    await promisify(req.session.destroy.bind(req.session))();
    // `endSessions` never rejects: if the portal is unavailable, the user is still signed out here.
    if (user) await embed.endSessions(user, req);
  }
  app.post('/sign-out', (req, res, next) => {
    if (isCrossSite(req)) res.sendStatus(403);
    else signOut(req).then(() => res.redirect(303, '/'), next);
  });
  // #endregion
  return app;
}

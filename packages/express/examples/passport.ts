import { portalEmbed } from '@portal-embed/express';
import type { Tenants } from '@portal-embed/express';
import express from 'express';
import type { Express } from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-local';

import { checkPassword } from './check-password.ts';

declare global {
  namespace Express {
    interface User {
      email: string;
      hostName: string;
    }
  }
}

export function createApp(tenants: Tenants): Express {
  // #region strategy
  const authentication = new passport.Passport();
  authentication.use(
    new Strategy(
      { usernameField: 'email', passReqToCallback: true },
      // The session keeps the host name with the user.
      (req, email, password, done) =>
        done(null, checkPassword(email, password) && { email, hostName: req.hostname }),
    ),
  );
  authentication.serializeUser((user, done) => done(null, user));
  authentication.deserializeUser((user: Express.User, done) => done(null, user));
  // #endregion

  const app = express();
  app.use(session({ secret: 'replace me', resave: false, saveUninitialized: false }));
  app.use(authentication.session());
  app.post(
    '/sign-in',
    express.json({ inflate: false }),
    authentication.authenticate('local'),
    (_, res) => {
      res.sendStatus(204);
    },
  );

  // #region mount
  app.use('/portal-embed', portalEmbed({ tenants, user: (req) => req.user ?? null }));
  // #endregion
  return app;
}

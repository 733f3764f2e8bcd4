/** Middlewares that answer before the endpoint, because the application does not exclude it. */
import cookieParser from 'cookie-parser';
import { doubleCsrf } from 'csrf-csrf';
import { csrfSync } from 'csrf-sync';
import express from 'express';
import openIdConnect from 'express-openid-connect';
import lusca from 'lusca';

import { requireSignIn } from './auth-config.js';
import { settings } from './openid-connect.js';

export const inFront = {
  'nothing mounted': (app) =>
    app.use('/portal-embed', (_, res) => res.status(404).send('<p>Not found')),
  lusca: (app) => app.use(lusca.csrf()),
  'csrf-csrf': (app) => {
    const { doubleCsrfProtection } = doubleCsrf({
      getSecret: () => 'a secret',
      getSessionIdentifier: (req) => req.session.id,
    });
    app.use(cookieParser(), doubleCsrfProtection);
  },
  'csrf-sync': (app) => app.use(csrfSync().csrfSynchronisedProtection),
  'auth-express': (app) => app.use('/portal-embed', requireSignIn),
  'openid-connect': (app) => app.use(openIdConnect.auth({ ...settings, authRequired: true })),
  'small bodies': (app) => app.use(express.json({ limit: 10 })),
};

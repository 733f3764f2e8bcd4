import fs from 'node:fs';
import path from 'node:path';

import { portalCsp, portalEmbed } from '@portal-embed/express';
import express, { type ErrorRequestHandler, type Express } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import { pino, type Logger } from 'pino';

import type { HostConfig } from './config.ts';
import { readSignedInUser, refuseCrossSite, signIn, signOut } from './login.ts';
import { pageData } from './page-data.ts';

/** The host application: your app, with the portal's reports in it. */
export function createHostApp(config: HostConfig, pageFolder: string): Express {
  const logger = pino({ name: 'host' });
  const page = fs.readFileSync(path.join(pageFolder, 'index.html'), 'utf8');
  const tenants = Object.fromEntries(
    Object.entries(config.tenants).map(([hostName, tenant]) => [
      hostName,
      {
        apiUrl: config.portalApiUrl,
        apiKey: tenant.apiKey,
        organizationId: tenant.organizationId,
        portalUrl: tenant.portalUrl,
      },
    ]),
  );

  const app = express();
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: {
          styleSrc: ["'self'"],
          // The demo has no TLS; a real host keeps these two.
          upgradeInsecureRequests: null,
        },
      },
      strictTransportSecurity: false,
    }),
    portalCsp({ tenants }),
  );
  app.use(
    '/assets',
    express.static(path.join(pageFolder, 'assets'), { immutable: true, maxAge: '1y' }),
  );
  app.use(
    session({
      name: 'host.sid',
      secret: config.sessionSecret,
      resave: false,
      saveUninitialized: false,
      cookie: { httpOnly: true, sameSite: 'lax' },
    }),
  );

  const embed = portalEmbed({ tenants, user: readSignedInUser(config), allowOpen: true, logger });
  app.use('/portal-embed', embed);

  const readForm = express.urlencoded({ extended: false, inflate: false });
  app.post('/login', refuseCrossSite, readForm, signIn(config));
  app.post('/logout', refuseCrossSite, signOut(config, embed));
  app.get(['/', '/login'], (req, res) => {
    const data = pageData(config, req);
    if (!data) {
      const known = Object.keys(config.tenants).join(' or ');
      res.status(404).type('text').send(`No tenant has this host name. Open ${known}.\n`);
      return;
    }
    // `<` would let a value end the script element that carries it.
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    res
      .set('Cache-Control', 'no-store')
      .send(page.replace('id="page-data">', (start) => start + json));
  });
  app.use(answerErrors(logger));
  return app;
}

/** What went wrong is for the log; an answer with a stack in it would tell it to anybody. */
const answerErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: { status?: number }, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const { status = 500 } = error;
    if (status >= 500) logger.error({ err: error }, 'request failed');
    res
      .status(status)
      .type('text')
      .send(status >= 500 ? 'Something went wrong.\n' : 'Bad request.\n');
  };

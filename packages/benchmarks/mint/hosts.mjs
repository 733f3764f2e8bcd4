/** Two host applications with the same session, differing in who answers the mint. */
import http from 'node:http';

import { portalEmbed } from '@portal-embed/express';
import axios from 'axios';
import express from 'express';
import session from 'express-session';

import { createTenant, userEmail } from './tenant.mjs';

const createApp = () => {
  const app = express();
  app.use(session({ secret: 'benchmark', resave: false, saveUninitialized: false }));
  app.get('/sign-in', (req, res) => {
    req.session.user = { email: userEmail };
    res.sendStatus(204);
  });
  return app;
};

export const hosts = {
  'hand-written handler': (portalUrl) => {
    const { apiKey, portalUrl: baseUrl } = createTenant(portalUrl);
    const api = axios.create({
      baseURL: portalUrl,
      headers: { 'X-API-Key': apiKey },
      httpAgent: new http.Agent({ keepAlive: true, maxSockets: 32 }),
      timeout: 5_000,
    });
    const app = createApp();
    app.post('/portal-embed/url', express.json(), (req, res, next) => {
      if (!req.session.user) {
        res.sendStatus(401);
        return;
      }
      const body = { ...req.body, userEmail: req.session.user.email, baseUrl };
      api.post('/api/identity/url', body).then(({ data }) => res.json(data), next);
    });
    return app;
  },
  '@portal-embed/express': (portalUrl) => {
    const app = createApp();
    const counts = { minted: 0 };
    app.use(
      '/portal-embed',
      portalEmbed({
        tenants: { '127.0.0.1': createTenant(portalUrl) },
        user: (req) => req.session.user ?? null,
        authorize: () => ({
          allow: { filterKeys: ['Orders/Category'], display: ['hideMenu'] },
          set: { hideSidebar: true },
          lockedFilters: [{ key: 'Orders/Region', value: 'West' }],
        }),
        provision: () => null,
        limits: { mintsPerUserPerMinute: 1_000_000_000 },
        onMint: () => {
          counts.minted += 1;
        },
        logger: { info() {}, warn() {}, error() {} },
      }),
    );
    return app;
  },
};

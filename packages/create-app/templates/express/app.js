import { once } from 'node:events';

import { portalCsp, portalEmbed } from '@portal-embed/express';
import express from 'express';

import { authorize } from './policy.js';
import { createSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

function createApp(tenants) {
  const app = express();
  app.use(portalCsp({ tenants }));
  app.use(
    '/portal-embed',
    portalEmbed({ tenants, user: (req) => findUser(req.headers.cookie), authorize }),
  );
  app.post('/sign-in', express.json(), (req, res) => {
    const cookie = createSession(req.body.email);
    if (cookie) res.set('Set-Cookie', cookie).sendStatus(204);
    else res.sendStatus(401);
  });
  app.get('/portal-embed.js', (req, res) => res.sendFile(elementScript));
  app.use(express.static('public'));
  return app;
}

/** Starts the application. Port 0 is any free port. */
export async function listen(tenants, port) {
  const server = createApp(tenants).listen(port);
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}

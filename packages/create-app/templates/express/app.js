import { once } from 'node:events';

import { isCrossSite, portalCsp, portalEmbed } from '@portal-embed/express';
import express from 'express';

import { authorize } from './policy.js';
import { createSession, expiredSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

const rejectCrossSite = (req, res, next) => (isCrossSite(req) ? res.sendStatus(403) : next());

function createApp(tenants) {
  const app = express();
  app.use(portalCsp({ tenants }));
  const embed = portalEmbed({ tenants, user: (req) => findUser(req.headers.cookie), authorize });
  app.use('/portal-embed', embed);
  app.post('/sign-in', rejectCrossSite, express.json(), (req, res) => {
    const email = req.body?.email;
    if (typeof email !== 'string') return res.sendStatus(400);
    const cookie = createSession(email, req.hostname);
    return cookie ? res.set('Set-Cookie', cookie).sendStatus(204) : res.sendStatus(401);
  });
  app.post('/sign-out', rejectCrossSite, async (req, res) => {
    const user = findUser(req.headers.cookie);
    if (user) await embed.endSessions(user, req);
    res.set('Set-Cookie', expiredSession).sendStatus(204);
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

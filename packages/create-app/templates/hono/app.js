import { once } from 'node:events';
import fs from 'node:fs';

import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createMinter, isCrossSite } from '@portal-embed/host';
import { Hono } from 'hono';

import { authorize } from './policy.js';
import { createSession, expiredSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

function createApp(tenants) {
  const mint = createMinter({
    tenants,
    user: (request) => findUser(request.headers.get('cookie')),
    authorize,
  });
  const app = new Hono();
  app.all('/portal-embed/url', (c) => mint(c.req.raw));
  app.on('POST', ['/sign-in', '/sign-out'], (c, next) =>
    isCrossSite(c.req.raw) ? c.body(null, 403) : next(),
  );
  app.post('/sign-in', async (c) => {
    const body = await c.req.json().catch(() => null);
    if (typeof body?.email !== 'string') return c.body(null, 400);
    const cookie = createSession(body.email, new URL(c.req.url).hostname);
    return cookie ? c.body(null, 204, { 'Set-Cookie': cookie }) : c.body(null, 401);
  });
  app.post('/sign-out', async (c) => {
    const user = findUser(c.req.header('cookie'));
    if (user) await mint.endSessions(user, c.req.raw);
    return c.body(null, 204, { 'Set-Cookie': expiredSession });
  });
  app.get('/portal-embed.js', (c) =>
    c.body(fs.readFileSync(elementScript), 200, { 'Content-Type': 'text/javascript' }),
  );
  app.use(serveStatic({ root: 'public' }));
  return app;
}

/** Starts the application. Port 0 is any free port. */
export async function listen(tenants, port) {
  const server = serve({ fetch: createApp(tenants).fetch, port });
  if (!server.listening) await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}

import { once } from 'node:events';
import fs from 'node:fs';

import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createMinter } from '@portal-embed/host';
import { Hono } from 'hono';

import { authorize } from './policy.js';
import { createSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

function createApp(tenants) {
  const mint = createMinter({
    tenants,
    user: (request) => findUser(request.headers.get('cookie')),
    authorize,
  });
  const app = new Hono();
  app.on(['POST', 'OPTIONS'], '/portal-embed/url', (c) => mint(c.req.raw));
  app.post('/sign-in', async (c) => {
    const { email } = await c.req.json();
    const cookie = createSession(email);
    return cookie ? c.body(null, 204, { 'Set-Cookie': cookie }) : c.body(null, 401);
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

import fs from 'node:fs';

import { createMinter } from '@portal-embed/host';
import fastify from 'fastify';

import { authorize } from './policy.js';
import { createSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

const files = {
  '/': ['public/index.html', 'text/html'],
  '/page.js': ['public/page.js', 'text/javascript'],
  '/portal-embed.js': [elementScript, 'text/javascript'],
};

function createApp(tenants) {
  const mint = createMinter({
    tenants,
    user: ({ headers }) => findUser(headers.cookie),
    authorize,
    origin: ({ protocol, host }) => `${protocol}://${host}`,
    // Fastify has parsed the body before its handler runs.
    body: (request) => request.body,
  });
  const app = fastify();
  app.route({
    method: ['POST', 'OPTIONS'],
    url: '/portal-embed/url',
    handler: (request) => {
      const { method, url, headers } = request;
      return mint(new Request(new URL(url, 'http://localhost'), { method, headers }), request);
    },
  });
  app.post('/sign-in', (request, reply) => {
    const cookie = createSession(request.body?.email);
    return cookie ? reply.header('Set-Cookie', cookie).code(204).send() : reply.code(401).send();
  });
  for (const [url, [file, type]] of Object.entries(files))
    app.get(url, (_, reply) => reply.type(type).send(fs.createReadStream(file)));
  return app;
}

/** Starts the application. Port 0 is any free port. */
export async function listen(tenants, port) {
  const app = createApp(tenants);
  await app.listen({ port });
  return { port: app.server.address().port, close: () => app.close() };
}

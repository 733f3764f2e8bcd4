import fs from 'node:fs';

import { createMinter, isCrossSite } from '@portal-embed/host';
import fastify from 'fastify';

import { authorize } from './policy.js';
import { createSession, expiredSession, findUser } from './session.js';
import { elementScript } from './static-files.js';

const files = {
  '/': ['public/index.html', 'text/html'],
  '/page.css': ['public/page.css', 'text/css'],
  '/page.js': ['public/page.js', 'text/javascript'],
  '/portal-embed.js': [elementScript, 'text/javascript'],
};

const readOrigin = ({ protocol, host }) => `${protocol}://${host}`;

/** `http://localhost` is a placeholder: the option `origin` provides the real origin. */
const toWebRequest = ({ method, url, headers }) =>
  new Request(new URL(url, 'http://localhost'), { method, headers });

async function rejectCrossSite(request, reply) {
  if (isCrossSite(toWebRequest(request), { origin: readOrigin(request) }))
    await reply.code(403).send();
}

function createApp(tenants) {
  const mint = createMinter({
    tenants,
    user: ({ headers }) => findUser(headers.cookie),
    authorize,
    origin: readOrigin,
    // Fastify has parsed the body before its handler runs.
    body: (request) => request.body,
  });
  const app = fastify();
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/portal-embed/url',
    handler: (request) => mint(toWebRequest(request), request),
  });
  app.post('/sign-in', { onRequest: rejectCrossSite }, (request, reply) => {
    const email = request.body?.email;
    if (typeof email !== 'string') return reply.code(400).send();
    const cookie = createSession(email, request.hostname);
    return cookie ? reply.header('Set-Cookie', cookie).code(204).send() : reply.code(401).send();
  });
  app.post('/sign-out', { onRequest: rejectCrossSite }, async (request, reply) => {
    const user = findUser(request.headers.cookie);
    if (user) await mint.endSessions(user, toWebRequest(request), request);
    return reply.header('Set-Cookie', expiredSession).code(204).send();
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

import { createReadStream } from 'node:fs';

import { createMinter } from '@portal-embed/host';
import fastify from 'fastify';

import { tenants } from './tenants.js';
import { findUser } from './user.js';

const mint = createMinter({
  tenants,
  user: findUser,
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
app.get('/', (_, reply) => reply.type('text/html').send(createReadStream('public/index.html')));
app.get('/page.js', (_, reply) =>
  reply.type('text/javascript').send(createReadStream('public/page.js')),
);
await app.listen({ port: 3000 });

// #region app
import fastify from 'fastify';
import type { FastifyRequest } from 'fastify';

import { mint } from './policy.ts';

export const app = fastify({ trustProxy: process.env['TRUSTED_PROXY'] ?? false });

/** `http://localhost` is a placeholder: the option `origin` provides the real origin. */
const toWebRequest = ({ method, url, headers }: FastifyRequest) =>
  new Request(new URL(url, 'http://localhost'), {
    method,
    headers: headers as Record<string, string>,
  });

app.route({
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  url: '/portal-embed/url',
  handler: (request) => mint(toWebRequest(request), request),
});
app.get('/portal-embed/open', { exposeHeadRoute: false }, (request) =>
  mint.open(toWebRequest(request), request),
);
// #endregion

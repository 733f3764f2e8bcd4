// #region app
import fastify from 'fastify';

import { mint } from './policy.ts';

export const app = fastify({ trustProxy: process.env['TRUSTED_PROXY'] ?? false });

app.route({
  method: ['POST', 'OPTIONS'],
  url: '/portal-embed/url',
  handler(request) {
    const headers = request.headers as Record<string, string>;
    // The option `origin` says which host was addressed.
    return mint(new Request('http://localhost', { method: request.method, headers }), request);
  },
});
// #endregion

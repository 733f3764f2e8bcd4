// #region app
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import { toNodeHandler } from 'srvx/node';

import { mint } from './policy.ts';

const routes = new Map([
  ['/portal-embed/url', mint],
  ['/portal-embed/open', mint.open],
]);

const fetch = (request: Request) => {
  // A client can send any text as the host.
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : '';
  return routes.get(path)?.(request) ?? new Response('Not found', { status: 404 });
};

export const app = createServer(toNodeHandler(fetch) as RequestListener);
// #endregion

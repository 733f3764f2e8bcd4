// #region app
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import { toNodeHandler } from 'srvx/node';

import { mint } from './policy.ts';

const routes = new Map([
  ['/portal-embed/url', mint],
  ['/portal-embed/open', mint.open],
]);

const fetch = (request: Request) =>
  routes.get(new URL(request.url).pathname)?.(request) ??
  new Response('Not found', { status: 404 });

export const app = createServer(toNodeHandler(fetch) as RequestListener);
// #endregion

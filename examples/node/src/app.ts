// #region app
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

import { toNodeHandler } from 'srvx/node';

import { mint } from './policy.ts';

const fetch = (request: Request) =>
  new URL(request.url).pathname === '/portal-embed/url'
    ? mint(request)
    : new Response('Not found', { status: 404 });

export const app = createServer(toNodeHandler(fetch) as RequestListener);
// #endregion

import { createMinter } from '@portal-embed/host';
import { serve } from 'srvx';
import { staticMiddleware } from 'srvx/static';

import { tenants } from './tenants.js';
import { findUser } from './user.js';

const mint = createMinter({ tenants, user: findUser });
const notFound = () => new Response('Not found', { status: 404 });

serve({
  port: 3000,
  middleware: [staticMiddleware({ dir: 'public' })],
  fetch: (request) =>
    new URL(request.url).pathname === '/portal-embed/url' ? mint(request) : notFound(),
});

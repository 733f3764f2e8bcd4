import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createMinter } from '@portal-embed/host';
import { Hono } from 'hono';

import { tenants } from './tenants.js';
import { findUser } from './user.js';

const mint = createMinter({ tenants, user: findUser });
const app = new Hono();
app.on(['POST', 'OPTIONS'], '/portal-embed/url', (c) => mint(c.req.raw));
app.use(serveStatic({ root: 'public' }));
serve({ fetch: app.fetch, port: 3000 });

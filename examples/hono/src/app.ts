// #region app
import { Hono } from 'hono';

import { mint } from './policy.ts';

export const app = new Hono();

app.all('/portal-embed/url', (c) => mint(c.req.raw, c));
app.get('/portal-embed/open', (c) => mint.open(c.req.raw, c));
// #endregion

/** The host application of express-hosts.deep.test.ts: pages, a sign-in, and one example of the guide. */
import { portalCsp } from '@portal-embed/express';
import session from 'express-session';

import { inFront } from './in-front.mjs';
import { tenants } from './tenants.js';

const { EXPRESS, EXAMPLE, IN_FRONT, HELMET, HELMET_LAST, PORT } = process.env;
const { default: express } = await import(EXPRESS);

const app = express();
const policies = [portalCsp({ tenants })];
if (HELMET) {
  const { default: helmet } = await import(HELMET);
  policies[HELMET_LAST ? 'push' : 'unshift'](helmet());
}
app.use(policies);
// The pages are public, so that only the endpoint meets the middleware.
app.use(express.static('public'));
app.use(session({ secret: 'a secret', resave: false, saveUninitialized: true }));
app.get('/test/sign-in', (req, res) => {
  req.session.user = { email: req.query.email };
  res.send('signed in');
});
if (IN_FRONT) inFront[IN_FRONT](app);
const { mount } = await import(`./${EXAMPLE}.js`);
mount(app);
app.get('/private', (_, res) => res.send('private'));
app.listen(Number(PORT), '127.0.0.1');

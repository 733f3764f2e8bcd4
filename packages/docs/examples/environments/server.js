import { randomUUID } from 'node:crypto';

import { isCrossSite, portalCsp, portalEmbed } from '@portal-embed/express';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';

const { REPORTS_URL, ACME_API_KEY, ACME_ORGANIZATION_ID, ACME_BASE_URL, PORT } = process.env;

const tenant = {
  apiUrl: REPORTS_URL,
  apiKey: ACME_API_KEY,
  organizationId: ACME_ORGANIZATION_ID,
  portalUrl: ACME_BASE_URL,
};
const tenants = { 'acme.localhost': tenant, 'reports.intranet.example': tenant };

const app = express();
// #region plain-http
app.use(
  helmet({
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  }),
);
// #endregion
app.use(portalCsp({ tenants }));
app.use(session({ secret: randomUUID(), resave: false, saveUninitialized: false }));
app.post('/app/sign-in', (req, res) => {
  if (isCrossSite(req)) {
    res.sendStatus(403);
    return;
  }
  req.session.user = { email: 'west@acme.example', hostName: req.hostname };
  res.redirect(303, '/app/');
});
// #region base-path
app.use('/app/portal-embed', portalEmbed({ tenants, user: (req) => req.session.user ?? null }));
app.use('/app', express.static('dist'));
// #endregion
app.listen(Number(PORT), '127.0.0.1');

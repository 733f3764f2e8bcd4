// #region headers
import { randomUUID } from 'node:crypto';

import { isCrossSite, portalCsp, portalEmbed } from '@portal-embed/express';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';

import { checkPassword, findPerson } from './people.js';
import { tenants } from './tenants.js';

const { SESSION_SECRET = randomUUID(), PORT = '3000' } = process.env;

const app = express();
app.use(helmet());
app.use(portalCsp({ tenants }));
// #endregion

// #region sign-in
app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }));
app.post('/sign-in', express.urlencoded({ extended: false, inflate: false }), (req, res) => {
  const { email, password } = req.body ?? {};
  if (isCrossSite(req)) {
    res.sendStatus(403);
    return;
  }
  if (!checkPassword(email, password)) {
    res.status(401).send('Wrong e-mail or password.');
    return;
  }
  req.session.regenerate(() => {
    req.session.user = { email, hostName: req.hostname };
    res.redirect('/');
  });
});
// #endregion

// #region policy
const { SALES_REPORT_ID = '', SALES_DATASET_ID = '' } = process.env;

app.use(
  '/portal-embed',
  portalEmbed({
    tenants,
    user: async (req) => {
      const { user } = req.session;
      const person = user && (await findPerson(user.email));
      return person ? { ...person, hostName: user.hostName } : null;
    },
    authorize: ({ user }) =>
      user.isManager || {
        allow: { filterKeys: ['Superstore/Category'] },
        set: { hideSidebar: true },
        lockedFilters: [{ key: 'Superstore/Region', value: user.region }],
      },
    provision: ({ user }) => ({
      name: user.name,
      role: 3,
      reports: [SALES_REPORT_ID],
      rlsRoles: [{ datasetId: SALES_DATASET_ID, role: user.region }],
    }),
    logger: console,
  }),
);
// #endregion

// #region page
app.use(express.static('public'));
app.listen(Number(PORT), () => console.log(`http://acme.localhost:${PORT}`));
// #endregion

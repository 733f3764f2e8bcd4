import { portalCsp, portalEmbed } from '@portal-embed/express';
import express from 'express';

import { tenants } from './tenants.js';
import { findUser } from './user.js';

const app = express();
app.use(portalCsp({ tenants }));
app.use('/portal-embed', portalEmbed({ tenants, user: findUser }));
app.use(express.static('public'));
app.listen(3000);

import { createMinter } from '@portal-embed/host';

import { authorize, tenants } from './policy.js';
import { findUser } from './session.js';

/** Next.js builds `request.url` from the host name that it listens on. */
export const readOrigin = ({ headers }) =>
  `${headers.get('x-forwarded-proto')}://${headers.get('host')}`;

let mint;

/** Created at the first request, because the variables may be missing during `next build`. */
export const getMint = () =>
  (mint ??= createMinter({
    tenants,
    user: ({ headers }) => findUser(headers.get('cookie')),
    authorize,
    origin: readOrigin,
  }));

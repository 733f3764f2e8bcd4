import { createMinter } from '@portal-embed/host';

import { authorize, readTenants } from '../../../policy.js';
import { findUser } from '../../../session.js';

let mint;

export function POST(request) {
  // Created at the first request, because the variables may be missing during `next build`.
  mint ??= createMinter({
    tenants: readTenants(),
    user: ({ headers }) => findUser(headers.get('cookie')),
    authorize,
    // Next.js builds `request.url` from the host name that it listens on.
    origin: ({ headers }) => `${headers.get('x-forwarded-proto')}://${headers.get('host')}`,
  });
  return mint(request);
}

// Next.js would refuse these methods without saying which one is allowed.
export { POST as GET, POST as PUT, POST as PATCH, POST as DELETE, POST as OPTIONS };

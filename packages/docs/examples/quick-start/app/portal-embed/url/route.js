import { createMinter } from '@portal-embed/host';

import { tenants } from '../../../tenants.js';
import { findUser } from '../../../user.js';

let mint;

export function POST(request) {
  // Created at the first request, because the API key may be missing during `next build`.
  mint ??= createMinter({
    tenants,
    user: findUser,
    // Next.js builds `request.url` from the host name that it listens on.
    origin: ({ headers }) => `${headers.get('x-forwarded-proto')}://${headers.get('host')}`,
  });
  return mint(request);
}

// Next.js would refuse these methods without saying which one is allowed.
export { POST as GET, POST as PUT, POST as PATCH, POST as DELETE, POST as OPTIONS };

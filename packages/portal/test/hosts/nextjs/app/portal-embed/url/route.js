import { auth } from '@clerk/nextjs/server';
import { createMinter } from '@portal-embed/host';
import { getServerSession } from 'next-auth';

import { authOptions } from '../../../auth.js';
import { tenants } from '../../../tenants.js';

const users = {
  clerk: async () => {
    const { sessionClaims } = await auth();
    return sessionClaims?.email ? { email: sessionClaims.email } : null;
  },
  'auth-js': async () => (await getServerSession(authOptions))?.user ?? null,
};

let mint;

export function POST(request) {
  mint ??= createMinter({
    tenants,
    user: users[process.env.SESSIONS],
    origin: ({ headers }) => `${headers.get('x-forwarded-proto')}://${headers.get('host')}`,
  });
  return mint(request);
}

// Next.js would refuse these methods without saying which one is allowed.
export { POST as GET, POST as PUT, POST as PATCH, POST as DELETE, POST as OPTIONS };

import { portalEmbed } from '@portal-embed/express';
import type { Tenant } from '@portal-embed/host';
import express from 'express';
import type { Express } from 'express';

/** The application under test. Its sign-in is a header, so that the example is short. */
export function createApp(tenants: Record<string, Tenant>): Express {
  const app = express();
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants,
      user: (req) => {
        const email = req.get('x-test-user');
        return email ? { email } : null;
      },
      authorize: () => ({ lockedFilters: [{ key: 'Superstore/Region', value: 'West' }] }),
      provision: ({ user }) => ({ name: user.email, role: 3 }),
    }),
  );
  return app;
}

import { cachedTenants, portalEmbed } from '@portal-embed/express';
import type { Tenant } from '@portal-embed/express';
import express from 'express';
import type { Express } from 'express';

/** Stands for your own database. */
export interface HostDatabase {
  findTenant: (hostName: string) => Promise<Tenant | null>;
  findSession: (
    id: string,
  ) => Promise<{ email: string; hostName: string; isManager: boolean } | null>;
}

export function createApp(db: HostDatabase): Express {
  const app = express();
  // #region mount
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants: cachedTenants((hostName) => db.findTenant(hostName)),
      user: (req) => db.findSession(req.get('X-Session') ?? ''),
      authorize: ({ user }) =>
        user.isManager || { lockedFilters: [{ key: 'Orders/Region', value: 'West' }] },
    }),
  );
  // #endregion
  return app;
}

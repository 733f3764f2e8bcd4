// #region tenants
import { portalCsp, portalEmbed } from '@portal-embed/express';
import type { Logger, Tenants } from '@portal-embed/express';

export const tenants: Tenants = {
  'acme.app.example': {
    apiUrl: 'https://portal.example',
    apiKey: process.env['ACME_PORTAL_KEY'] ?? 'from-your-secret-store',
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: 'https://acme.portal.example',
  },
};
// #endregion

import express from 'express';
import type { Express } from 'express';
import session from 'express-session';
import helmet from 'helmet';

declare module 'express-session' {
  interface SessionData {
    user: { email: string; hostName: string };
  }
}

/** From your own database. */
export interface Directory {
  findEmployee: (email: string) => Promise<{ name: string; region: string; isManager: boolean }>;
}

const salesReport = '6a1f4c1e-0000-4000-8000-000000000001';
const salesDataset = '6a1f4c1e-0000-4000-8000-000000000009';

export function createApp(
  portals: Tenants,
  directory: Directory,
  { logger, metrics }: { logger: Logger; metrics: { count: (name: string) => void } },
): Express {
  const app = express();
  // #region headers
  app.use(helmet());
  app.use(portalCsp({ tenants: portals }));
  // #endregion
  app.use(session({ secret: 'replace me', resave: false, saveUninitialized: false }));
  app.post('/sign-in', (req, res) => {
    req.session.user = { email: 'west@acme.example', hostName: req.hostname };
    res.sendStatus(204);
  });

  // #region safe
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants: portals,
      user: async (req) => {
        const { user } = req.session;
        return user ? { ...user, ...(await directory.findEmployee(user.email)) } : null;
      },
      authorize: ({ user }) =>
        user.isManager || {
          allow: { reports: [salesReport], filterKeys: ['Orders/Category'] },
          set: { hideSidebar: true },
          lockedFilters: [{ key: 'Orders/Region', value: user.region }],
        },
      provision: ({ user }) => ({
        name: user.name,
        role: 3,
        reports: [salesReport],
        rlsRoles: [{ datasetId: salesDataset, role: user.region }],
      }),
      logger,
      onMint: () => metrics.count('portal-minted'),
      onError: ({ code }) => metrics.count(`portal-failed-${code ?? 'callback'}`),
    }),
  );
  // #endregion
  return app;
}

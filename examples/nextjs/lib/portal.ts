import { createPortalClient } from '@portal-embed/client';
import type { PortalClient } from '@portal-embed/client';

// Next.js bundles each route apart, with a copy of this module; `globalThis` is the process's own.
const shared = globalThis as { portalClient?: PortalClient };

/** The one client of this process: it holds the open connections and the retry budget. */
export const portal = (): PortalClient =>
  (shared.portalClient ??= createPortalClient({
    apiUrl: process.env['PORTAL_API_URL']!,
    apiKey: process.env['PORTAL_API_KEY']!,
  }));

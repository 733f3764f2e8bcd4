import { createPortalClient } from '@portal-embed/client';
import type { PortalClient } from '@portal-embed/client';

// Next.js bundles this module into each route. `globalThis` is shared by the whole process.
const shared = globalThis as { portalClient?: PortalClient };

/** The client of this process. It holds the open connections and the retry budget. */
export const portal = (): PortalClient =>
  (shared.portalClient ??= createPortalClient({
    apiUrl: process.env['PORTAL_API_URL']!,
    apiKey: process.env['PORTAL_API_KEY']!,
  }));

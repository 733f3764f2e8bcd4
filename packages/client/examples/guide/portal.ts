import { createPortalClient } from '@portal-embed/client';
import type { PortalClient } from '@portal-embed/client';

// A bundler may copy this module into each of its bundles; `globalThis` is the process's own.
const shared = globalThis as { portalClient?: PortalClient };

/** The one client of this process, made at its first use. */
export const portal = (): PortalClient =>
  (shared.portalClient ??= createPortalClient({
    apiUrl: process.env['PORTAL_URL']!,
    apiKey: process.env['ACME_API_KEY']!,
  }));

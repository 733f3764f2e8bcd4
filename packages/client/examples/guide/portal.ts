import { createPortalClient } from '@portal-embed/client';
import type { PortalClient } from '@portal-embed/client';

// A bundler may copy this module into several bundles. All of them share `globalThis`.
const shared = globalThis as { portalClient?: PortalClient };

/** The client of this process, created on first use. */
export const portal = (): PortalClient =>
  (shared.portalClient ??= createPortalClient({
    apiUrl: process.env['REPORTS_URL']!,
    apiKey: process.env['ACME_API_KEY']!,
  }));

import type { Express } from 'express';
import type { FakePortal } from 'testing/fake-portal';

import { portalEmbed } from '../src/index.ts';
import type { PortalEmbedOptions, PortalUser, Tenant } from '../src/index.ts';
import { startApp } from './start-app.ts';
import type { RunningApp } from './start-app.ts';

export const apiKey = 'pk_secret_of_acme';
export const organizationId = '11111111-0000-4000-8000-000000000001';
export const portalUrl = 'http://acme.portal.localhost:4000';

/** The tenant of `acme.localhost`, whose portal is the given one. */
export const acme = (portal: FakePortal, changes: Partial<Tenant> = {}): Tenant => ({
  apiUrl: portal.url,
  apiKey,
  organizationId,
  portalUrl,
  ...changes,
});

/** A host app where everybody is signed in as west@acme.example, unless the options say otherwise. */
export const startHostApp = (
  portal: FakePortal,
  options: Partial<PortalEmbedOptions<PortalUser>> = {},
  configure: (host: Express) => void = () => {},
): Promise<RunningApp> =>
  startApp((host) => {
    configure(host);
    host.use(
      '/portal-embed',
      portalEmbed({
        tenants: { 'acme.localhost': acme(portal) },
        user: () => ({ email: 'west@acme.example' }),
        // Else failures are printed.
        onError: () => {},
        ...options,
        // No machine is too slow for it: what ends sooner has been ended by something else.
        limits: { timeoutMs: 60_000, ...options.limits },
      }),
    );
  });

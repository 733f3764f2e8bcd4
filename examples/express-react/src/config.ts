import type { TenantSlug } from 'demo-data';

export interface HostTenant {
  slug: TenantSlug;
  name: string;
  apiKey: string;
  organizationId: string;
  /** The portal address that this tenant's users see. */
  portalUrl: string;
  reports: { id: string; name: string }[];
}

export interface HostConfig {
  port: number;
  /** Where the portal's API is, from this server's point of view. */
  portalApiUrl: string;
  sessionSecret: string;
  /** By host name. */
  tenants: Record<string, HostTenant>;
}

/** Reads the demo's environment, the one that `demo.env` shows. */
export function readHostConfig(env: Record<string, string | undefined>): HostConfig {
  const need = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`Set ${name}; \`npm start\` writes its value into demo.env.`);
    return value;
  };
  const sales = { id: need('SALES_REPORT_ID'), name: 'Superstore sales' };
  const flights = { id: need('FLIGHTS_REPORT_ID'), name: 'Flight delays' };
  const tenant = (slug: TenantSlug, name: string, reports: HostTenant['reports']): HostTenant => ({
    slug,
    name,
    apiKey: need(`${slug.toUpperCase()}_API_KEY`),
    organizationId: need(`${slug.toUpperCase()}_ORGANIZATION_ID`),
    portalUrl: need(`${slug.toUpperCase()}_BASE_URL`),
    reports,
  });
  return {
    port: Number(env['HOST_PORT'] || 3000),
    portalApiUrl: need('PORTAL_URL'),
    sessionSecret: need('HOST_SESSION_SECRET'),
    tenants: {
      'acme.localhost': tenant('acme', 'Acme', [sales, flights]),
      'globex.localhost': tenant('globex', 'Globex', [flights]),
    },
  };
}

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
  /** URL at which this server reaches the portal's API. */
  portalApiUrl: string;
  sessionSecret: string;
  /** By host name. */
  tenants: Record<string, HostTenant>;
}

/** Reads the variables of `demo.env`, and also `HOST_SESSION_SECRET` and `HOST_PORT`. */
export function readHostConfig(env: Record<string, string | undefined>): HostConfig {
  const requireVariable = (name: string): string => {
    const value = env[name];
    if (!value)
      throw new Error(
        `${name} is not set. Run \`npm start\`, which sets it. To start this server alone, run \`set -a; source .portal/demo.env\`, and set HOST_SESSION_SECRET to a text of your own.`,
      );
    return value;
  };
  const sales = { id: requireVariable('SALES_REPORT_ID'), name: 'Superstore sales' };
  const flights = { id: requireVariable('FLIGHTS_REPORT_ID'), name: 'Flight delays' };
  const tenant = (slug: TenantSlug, name: string, reports: HostTenant['reports']): HostTenant => ({
    slug,
    name,
    apiKey: requireVariable(`${slug.toUpperCase()}_API_KEY`),
    organizationId: requireVariable(`${slug.toUpperCase()}_ORGANIZATION_ID`),
    portalUrl: requireVariable(`${slug.toUpperCase()}_BASE_URL`),
    reports,
  });
  return {
    port: Number(env['HOST_PORT'] || 3000),
    portalApiUrl: requireVariable('REPORTS_URL'),
    sessionSecret: requireVariable('HOST_SESSION_SECRET'),
    tenants: {
      'acme.localhost': tenant('acme', 'Acme', [sales, flights]),
      'globex.localhost': tenant('globex', 'Globex', [flights]),
    },
  };
}

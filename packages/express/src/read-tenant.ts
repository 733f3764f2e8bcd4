import { ConfigurationError } from './callback.ts';
import type { Tenant } from './tenant.ts';

const fields = new Set<string>([
  'apiUrl',
  'apiKey',
  'allowInsecure',
  'organizationId',
  'portalUrl',
  'allowedOrigins',
] satisfies (keyof Tenant)[]);

/**
 * Reads each field of a tenant once. What a look-up returns may be a row with getters, or one that
 * is changed later: neither its serialization nor the object itself tells tenants apart.
 */
export function readTenant(name: string, tenant: Tenant): Tenant {
  if (typeof tenant !== 'object' || tenant === null)
    throw invalidTenant(
      name,
      'must be an object with apiUrl, apiKey, organizationId and portalUrl',
    );
  for (const field of Object.keys(tenant))
    if (!fields.has(field))
      throw invalidTenant(name, `has no field "${field}"; it knows ${[...fields].join(', ')}`);
  // The client takes a URL as well.
  const { apiUrl } = tenant as { apiUrl: string | URL };
  const { apiKey, allowInsecure, organizationId, portalUrl, allowedOrigins } = tenant;
  return {
    apiUrl: String(apiUrl),
    apiKey,
    allowInsecure,
    organizationId,
    portalUrl,
    allowedOrigins: Array.isArray(allowedOrigins) ? [...allowedOrigins] : allowedOrigins,
  };
}

export function invalidTenant(name: string, what: string): ConfigurationError {
  return new ConfigurationError(`portalEmbed: tenant "${name}": ${what}.`);
}

import { createPortalClient } from '@portal-embed/client';
import type { PortalClient } from '@portal-embed/client';
import { endpoints } from '@portal-embed/contract';

import { createGate } from './gate.ts';
import type { Gate } from './gate.ts';
import type { Limits } from './limits.ts';
import { invalidTenant } from './read-tenant.ts';

/** A customer of the host application, and the portal its users see. */
export interface Tenant {
  /** Where the portal's API is, for example `https://portal.example`. */
  apiUrl: string;
  /**
   * Allows plain http to other machines, where anybody on the network can read the key. Default
   * false: `apiUrl` must be https, or http to a loopback address.
   */
  allowInsecure?: boolean | undefined;
  /** A key with the permission `identity:mint`, from the Settings menu of the portal. */
  apiKey: string;
  /** The organization's id in the portal; sent along when one report is asked for. */
  organizationId: string;
  /**
   * The organization's address of the portal, for example `https://acme.portal.example`. It is sent
   * as `baseUrl`, and only URLs of this origin reach a browser.
   */
  portalUrl: string;
  /**
   * Further origins whose pages may ask for URLs, for example `https://www.acme.example`. Their
   * preflight requests and CORS headers are the app's, answered before this middleware.
   */
  allowedOrigins?: readonly string[] | undefined;
}

/** A tenant as callbacks see it: without its key, so that it can be logged. */
export interface TenantInfo {
  /** The host name of the request, in lower case. */
  hostName: string;
  apiUrl: string;
  organizationId: string;
  portalUrl: string;
}

/** A checked tenant with its connection to the portal. */
export interface ConnectedTenant {
  tenant: Tenant;
  portalOrigin: string;
  allowedOrigins: ReadonlySet<string>;
  client: PortalClient;
  /** Bounds the mints that run at once. */
  gate: Gate;
}

/** Checks what `readTenant` has read, and opens a client. Throws a `TypeError` that says what to fix. */
export function connectTenant(name: string, tenant: Tenant, limits: Limits): ConnectedTenant {
  const fail = (what: string): never => {
    throw invalidTenant(name, what);
  };
  const { organizationId, portalUrl } = tenant;
  const { timeoutMs, concurrentMints, queuedMints } = limits;
  if (
    !endpoints.mintIdentityUrl.body.shape.organizationId.unwrap().safeParse(organizationId).success
  )
    fail('organizationId must be the UUID shown in the address of the portal’s Settings menu');
  const portalOrigin = originOf(portalUrl);
  if (portalOrigin === undefined || new URL(portalUrl).search || new URL(portalUrl).hash)
    fail('portalUrl must be an http or https address such as https://acme.portal.example');
  if (tenant.allowedOrigins !== undefined && !Array.isArray(tenant.allowedOrigins))
    fail('allowedOrigins must be a list of origins such as ["https://www.acme.example"]');
  const allowedOrigins = new Set(tenant.allowedOrigins ?? []);
  for (const [index, origin] of (tenant.allowedOrigins ?? []).entries())
    if (originOf(origin) !== origin)
      fail(`allowedOrigins.${index} must be an origin such as https://www.acme.example`);
  try {
    const client = createPortalClient({
      apiUrl: tenant.apiUrl,
      apiKey: tenant.apiKey,
      allowInsecure: tenant.allowInsecure,
      totalTimeoutMs: timeoutMs,
      // A stalled first attempt leaves time for a second one.
      attemptTimeoutMs: Math.ceil(timeoutMs * 0.6),
      maxConnections: concurrentMints,
    });
    const gate = createGate(concurrentMints, queuedMints);
    return { tenant, portalOrigin: portalOrigin!, allowedOrigins, client, gate };
  } catch (error) {
    return fail((error as Error).message.replace(/^createPortalClient: |\.$/g, ''));
  }
}

/** The origin of an http or https address; `undefined` for anything else. */
export function originOf(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

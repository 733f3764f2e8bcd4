import { PortalApiError } from '@portal-embed/client';
import type { CallOptions } from '@portal-embed/client';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import { Refusal, refusalOf } from './refusal.ts';
import { originOf } from './tenant.ts';
import type { ConnectedTenant } from './tenant.ts';

/** Mints a URL for a user of a tenant, and believes it only if it leads to the tenant's portal. */
export async function mintFor(
  { client, portalOrigin, tenant }: ConnectedTenant,
  userEmail: string,
  { reportId, ...wishes }: HostRequest,
  options: CallOptions,
): Promise<HostResponse> {
  const report = reportId === undefined ? {} : { reportId, organizationId: tenant.organizationId };
  const minted = await client.identity
    .mintUrl({ userEmail, baseUrl: tenant.portalUrl, ...report, ...wishes }, options)
    .catch((error: unknown) => {
      throw error instanceof PortalApiError ? refusalOf(error) : error;
    });
  if (originOf(minted.embedUrl) !== portalOrigin)
    throw new Refusal('portal_unavailable', {
      cause: new Error(
        `The portal minted a URL outside of ${portalOrigin}, the origin of portalUrl. Register portalUrl as an address of the organization in the portal, or correct it.`,
      ),
    });
  return minted;
}

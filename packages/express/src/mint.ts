import { PortalApiError } from '@portal-embed/client';
import type { CallOptions } from '@portal-embed/client';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import { Overload } from './gate.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { originOf } from './tenant.ts';
import type { ConnectedTenant } from './tenant.ts';

/** Mints a URL for a user of a tenant, and believes it only if it leads to the tenant's portal. */
export async function mintFor(
  { client, gate, portalOrigin, tenant }: ConnectedTenant,
  userEmail: string,
  { reportId, ...wishes }: HostRequest,
  options: CallOptions & { signal: AbortSignal },
): Promise<HostResponse> {
  const report = reportId === undefined ? {} : { reportId, organizationId: tenant.organizationId };
  const body = { userEmail, baseUrl: tenant.portalUrl, ...report, ...wishes };
  const minted = await gate
    .run(() => client.identity.mintUrl(body, options), options.signal)
    .catch((error: unknown) => {
      throw asRefusal(error, options.signal);
    });
  if (originOf(minted.embedUrl) !== portalOrigin)
    throw new Refusal('portal_unavailable', {
      cause: new Error(
        `The portal minted a URL outside of ${portalOrigin}, the origin of portalUrl. Register portalUrl as an address of the organization in the portal, or correct it.`,
      ),
    });
  return minted;
}

function asRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof PortalApiError) return refusalOf(error);
  if (error instanceof Overload)
    return new Refusal('portal_unavailable', { retryAfterSeconds: 1, cause: error });
  return signal.aborted ? new Refusal('portal_timeout', { cause: error }) : error;
}

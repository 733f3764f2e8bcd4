import { hasUser, PortalApiError } from '@portal-embed/client';
import type { CallOptions, PortalErrorCode } from '@portal-embed/client';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import type { ConnectedTenant } from './connect.ts';
import { Overload } from './gate.ts';
import type { Provisioning } from './provisioning.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { originOf } from './tenant.ts';

export interface MintOptions extends CallOptions {
  signal: AbortSignal;
  /** Brings the user to the portal if they are not there. */
  provisioning: Provisioning;
}

/** Mints a URL for a user of a tenant, and believes it only if it leads to the tenant's portal. */
export async function mintFor(
  { client, gate, portalOrigin, tenant }: ConnectedTenant & { portalOrigin: string },
  userEmail: string,
  { reportId, ...wishes }: HostRequest,
  { provisioning, ...options }: MintOptions,
): Promise<HostResponse> {
  const report = reportId === undefined ? {} : { reportId, organizationId: tenant.organizationId };
  const body = { userEmail, baseUrl: tenant.portalUrl, ...report, ...wishes };
  const mint = async () => {
    try {
      return await gate.run(() => client.identity.mintUrl(body, options), options.signal);
    } catch (error) {
      throw await tellInFull(error);
    }
  };

  /** A portal of another make may say no more than 404, be it of the user or of the report. */
  async function tellInFull(error: unknown): Promise<unknown> {
    if (!(error instanceof PortalApiError) || error.code !== 'not_found') return error;
    // It says itself that the address is unknown to it, and not the user.
    if (!error.codeFromStatus) return error;
    if (reportId === undefined) return sharpen(error, 'user_not_found');
    try {
      const look = () => hasUser(client, userEmail, options);
      const isKnown = await gate.run(look, options.signal);
      return sharpen(error, isKnown ? 'report_not_accessible' : 'user_not_found');
    } catch (reason) {
      // Whoever may not look learns no more. What will pass says nothing about the user.
      const isRefused =
        reason instanceof PortalApiError && !reason.retryable && reason.code !== 'aborted';
      return isRefused ? error : reason;
    }
  }

  try {
    await provisioning.settle();
    const minted = await mint().catch(async (error: unknown) => {
      if (isUserMissing(error) && (await provisioning.ensure())) return mint();
      // Otherwise the refusal stands: nothing that somebody has revoked is granted again.
      if (isReportClosed(error) && (await provisioning.outwait())) return mint();
      throw error;
    });
    if (originOf(minted.embedUrl) === portalOrigin) return minted;
  } catch (error) {
    throw asRefusal(error, options.signal);
  }
  throw new Refusal('portal_unavailable', {
    cause: new Error(
      `The portal minted a URL outside of ${portalOrigin}, the origin of portalUrl. Register portalUrl as an address of the organization in the portal, or correct it.`,
    ),
  });
}

function sharpen(error: PortalApiError, code: PortalErrorCode): PortalApiError {
  const { status, requestId } = error;
  return new PortalApiError(code, error.message, { status, requestId });
}

function isUserMissing(error: unknown): boolean {
  return error instanceof PortalApiError && error.code === 'user_not_found';
}

function isReportClosed(error: unknown): boolean {
  return (
    error instanceof PortalApiError && ['report_not_accessible', 'forbidden'].includes(error.code)
  );
}

function asRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof PortalApiError) return refusalOf(error);
  if (error instanceof Overload)
    return new Refusal('portal_unavailable', { retryAfterSeconds: 1, cause: error });
  return signal.aborted ? new Refusal('portal_timeout', { cause: error }) : error;
}

import { hasUser, PortalApiError } from '@portal-embed/client';
import type { CallOptions, PortalErrorCode } from '@portal-embed/client';
import type { HostRequest, HostResponse } from '@portal-embed/contract';

import type { ConnectedTenant } from './connect.ts';
import type { Provisioning } from './provisioning.ts';
import { Refusal, refuseFailedCall, toMintRefusal } from './refusal.ts';
import { readOrigin } from './tenant.ts';

export interface MintCallOptions extends CallOptions {
  signal: AbortSignal;
  /** Creates the user in the portal if they are missing. */
  provisioning: Provisioning;
}

/** Mints a URL for a user of a tenant. Refuses a URL outside of the tenant's portal. */
export async function mintFor(
  { client, gate, portalOrigin, tenant }: ConnectedTenant & { portalOrigin: string },
  userEmail: string,
  { reportId, ...displayAndFilters }: HostRequest,
  { provisioning, ...callOptions }: MintCallOptions,
): Promise<HostResponse> {
  const report = reportId === undefined ? {} : { reportId, organizationId: tenant.organizationId };
  const body = { userEmail, baseUrl: tenant.portalUrl, ...report, ...displayAndFilters };
  const mint = async () => {
    try {
      return await gate.run(() => client.identity.mintUrl(body, callOptions), callOptions.signal);
    } catch (error) {
      throw await explainNotFound(error);
    }
  };

  /** Finds out what a bare 404 of another vendor's portal means: the user or the report. */
  async function explainNotFound(error: unknown): Promise<unknown> {
    if (!(error instanceof PortalApiError) || error.code !== 'not_found') return error;
    // A code of its own means that the address is unknown, not the user.
    if (!error.codeFromStatus) return error;
    if (reportId === undefined) return replaceCode(error, 'user_not_found');
    try {
      const isKnown = await gate.run(
        () => hasUser(client, userEmail, callOptions),
        callOptions.signal,
      );
      return replaceCode(error, isKnown ? 'report_not_accessible' : 'user_not_found');
    } catch (reason) {
      // A key that may not read users leaves the 404 as it is. A temporary failure says nothing.
      const isRefused =
        reason instanceof PortalApiError && !reason.retryable && reason.code !== 'aborted';
      return isRefused ? error : reason;
    }
  }

  try {
    await provisioning.finishPending();
    const minted = await mint().catch(async (error: unknown) => {
      if (isUserMissing(error) && (await provisioning.ensureProvisioned())) return mint();
      // Any other refusal stands, so that revoked access is not granted again.
      if (isReportClosed(error) && (await provisioning.waitForOthers())) return mint();
      throw error;
    });
    if (readOrigin(minted.embedUrl) === portalOrigin) return minted;
  } catch (error) {
    throw refuseFailedCall(error, callOptions.signal, toMintRefusal);
  }
  throw new Refusal('portal_unavailable', {
    cause: new Error(
      `The portal minted a URL outside of ${portalOrigin}, the origin of portalUrl. Register portalUrl as an address of the organization in the portal, or correct it.`,
    ),
  });
}

function replaceCode(error: PortalApiError, code: PortalErrorCode): PortalApiError {
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

import { recordChange } from '../../activity-log/service.ts';
import type { Context } from '../../actor/actor.ts';
import { requireAdministrator, requireOperator } from '../../actor/permissions.ts';
import { isConfidential } from '../../confidential.ts';
import { PortalError } from '../../errors.ts';
import { lockForChange } from '../../organizations/store.ts';
import * as store from './store.ts';

/** How the users of an organization sign in. */
export interface ProviderSettings {
  issuer: string;
  /** Id of the portal at the identity provider. */
  clientId: string;
  /** Whether users may sign in with a password, too. */
  passwords: boolean;
}

/**
 * Sets the identity provider of the organization and ends the sessions of its users. Another issuer
 * has other subjects, so the portal forgets those it knows.
 */
export async function setOidc(ctx: Context, input: ProviderSettings): Promise<ProviderSettings> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const settings = { ...input, issuer: requireIssuer(input.issuer) };
  const activity = { action: 'setOidc', subject: organizationId, details: settings } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    const before = await store.findProvider(transaction, organizationId);
    await store.replaceProvider(transaction, organizationId, settings);
    if (before?.issuer !== settings.issuer) await store.forgetSubjects(transaction, organizationId);
    await store.endOrganizationSessions(transaction, organizationId);
  });
  return settings;
}

/** Removes the identity provider and ends the sessions of the organization's users. */
export async function removeOidc(ctx: Context): Promise<void> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  await recordChange(
    ctx,
    { action: 'removeOidc', subject: organizationId },
    async (transaction) => {
      await lockForChange(transaction, organizationId);
      await store.replaceProvider(transaction, organizationId, undefined);
      await store.forgetSubjects(transaction, organizationId);
      await store.endOrganizationSessions(transaction, organizationId);
    },
  );
}

/** The identity provider of the organization; `undefined` without one. */
export async function findOidc(ctx: Context): Promise<ProviderSettings | undefined> {
  requireAdministrator(ctx);
  const row = await store.findProvider(ctx.db, ctx.organizationId);
  return row && { issuer: row.issuer, clientId: row.client_id, passwords: row.passwords };
}

function requireIssuer(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isBare = url && url.username + url.password + url.search + url.hash === '';
  if (isBare && /^https?:$/.test(url.protocol) && isConfidential(address) && address.length <= 500)
    return address;
  throw new PortalError(
    'invalid_request',
    `"${address}" is not an issuer. Write it like https://login.acme.example, without query and fragment. Plain http is for localhost only.`,
  );
}

import { recordChange } from '../../activity-log/service.ts';
import type { Context } from '../../actor/actor.ts';
import { requireAdministrator, requireOperator } from '../../actor/permissions.ts';
import { isConfidential } from '../../confidential.ts';
import { PortalError } from '../../errors.ts';
import { lockForChange } from '../../organizations/store.ts';
import { isUntrusted } from './oidc-failures.ts';
import { checkProvider, ProviderDownError } from './provider.ts';
import * as store from './store.ts';
import { isMultiTenant } from './tenants.ts';

/** How the users of an organization sign in. */
export interface ProviderSettings {
  issuer: string;
  /** Id of the portal at the identity provider. */
  clientId: string;
  /** Whether users may sign in with a password, too. */
  passwords: boolean;
  /** Whether e-mails count as verified without a claim. */
  trustEmails: boolean;
}

/**
 * Sets the identity provider of the organization and ends the sessions of its users. With another issuer
 * or client id, a person has another subject, so the stored subjects are deleted.
 *
 * @throws `invalid_request` if the issuer cannot be used, or if the settings refuse passwords and nobody
 *   has signed in with them
 */
export async function setOidc(ctx: Context, input: ProviderSettings): Promise<ProviderSettings> {
  requireOperator(ctx);
  const { organizationId } = ctx;
  const settings = { ...input, issuer: requireIssuer(input.issuer) };
  requireOneTenant(settings);
  await requireProvider(settings.issuer);
  const activity = { action: 'setOidc', subject: organizationId, details: settings } as const;
  await recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    const before = await store.findProvider(transaction, organizationId);
    const isSameClient =
      before?.issuer === settings.issuer && before.client_id === settings.clientId;
    // Earlier sign-ins may have worked only because of `--trust-emails`.
    const isProven = isSameClient && (settings.trustEmails || !before.trust_emails);
    const signedInAt = isProven ? before.signed_in_at : null;
    const isTrustMissing = isSameClient && !isProven && before.signed_in_at !== null;
    // An organization that already refuses passwords may keep doing so.
    if (!settings.passwords && signedInAt === null && !(isProven && !before.passwords))
      throw new PortalError(
        'invalid_request',
        'Nobody has signed in with these settings yet, so refusing passwords could lock out everybody. Nothing was changed.',
        {
          advice: isTrustMissing
            ? 'The present settings have --trust-emails: add it, or run the command without --no-passwords, sign in once with the provider, then run it with --no-passwords.'
            : 'Run the command without --no-passwords, sign in once with the provider, then run it with --no-passwords.',
        },
      );
    await store.replaceProvider(transaction, organizationId, { ...settings, signedInAt });
    if (!isSameClient) await store.forgetSubjects(transaction, organizationId);
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
  return (
    row && {
      issuer: row.issuer,
      clientId: row.client_id,
      passwords: row.passwords,
      trustEmails: row.trust_emails,
    }
  );
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

function requireOneTenant({ issuer, trustEmails }: ProviderSettings): void {
  if (!trustEmails || !isMultiTenant(issuer)) return;
  throw new PortalError(
    'invalid_request',
    `Anybody can have an account at ${issuer}, so its e-mails cannot be trusted. Nothing was changed.`,
    {
      advice:
        'Use the issuer of a single tenant, such as https://login.microsoftonline.com/TENANT-ID/v2.0, or leave out --trust-emails.',
    },
  );
}

async function requireProvider(issuer: string): Promise<void> {
  try {
    await checkProvider(issuer);
  } catch (error) {
    if (!(error instanceof ProviderDownError)) throw error;
    throw new PortalError(
      'invalid_request',
      `The identity provider ${issuer} cannot be used: ${error.message}. Nothing was changed.`,
      {
        advice: isUntrusted(error)
          ? "The portal does not know the authority of the provider's certificate. Set NODE_EXTRA_CA_CERTS=FILE for this command and for every instance, with the authority's PEM file."
          : isMultiTenant(issuer)
            ? 'Use the issuer of a single tenant, such as https://login.microsoftonline.com/TENANT-ID/v2.0.'
            : `Check that ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration can be read from this machine, and that --issuer is exactly the issuer that it names.`,
      },
    );
  }
}

import { redirectUriOf } from '../sign-in/oidc/oidc-variables.ts';
import { findOidc } from '../sign-in/oidc/provider-settings.ts';
import { finishFlow, startConfirmation, startSignIn } from '../sign-in/oidc/service.ts';
import type { OidcServices, StartedFlow } from '../sign-in/oidc/service.ts';
import { findProviderBySlug } from '../sign-in/oidc/store.ts';
import { requireSession } from '../sign-in/service.ts';
import type { AdminHandlers, AdminCall } from './mount.ts';

/** @param options.adminUrl origin of the administration pages; without it, no route is served */
export const oidcAdminRoutes = ({
  adminUrl = '',
  ...options
}: Omit<OidcServices, 'db' | 'adminUrl'> & { adminUrl: string | undefined }) => {
  const scopeOf = ({ hotPathDb }: AdminCall): OidcServices => ({
    db: hotPathDb,
    adminUrl,
    ...options,
  });
  return {
    // The answer for an unknown organization is that of one with passwords.
    readSignInMethods: async ({ hotPathDb }, { organization }) => {
      const found = await findProviderBySlug(hotPathDb, organization);
      return {
        passwords: found?.passwords ?? true,
        provider: found ? new URL(found.issuer).host : null,
      };
    },
    startOidc: async (call, { organization }) =>
      redirectTo(call, await startSignIn(scopeOf(call), call.client, organization)),
    confirmWithOidc: async (call) =>
      redirectTo(call, await startConfirmation(scopeOf(call), call.client, call.session)),
    finishOidc: async (call, answer) => {
      const browser = call.readBrowserToken();
      const finished = await finishFlow(scopeOf(call), call.client, browser, answer);
      call.setBrowserToken(undefined);
      call.setSession(finished);
      const { account } = await requireSession(call.hotPathDb, finished.token);
      return {
        isConfirmation: finished.isConfirmation,
        organization: account.user!.organization.slug,
      };
    },
    readSignInSettings: async ({ ctx }) => {
      const found = await findOidc(ctx);
      return {
        passwords: found?.passwords ?? true,
        provider: found
          ? {
              issuer: found.issuer,
              clientId: found.clientId,
              trustEmails: found.trustEmails,
              redirectUri: redirectUriOf({ adminUrl }),
            }
          : null,
      };
    },
  } satisfies Partial<AdminHandlers>;
};

/** Sets the cookie that the browser must send when it returns from the provider. */
function redirectTo(call: AdminCall, { url, browser }: StartedFlow): { url: string } {
  call.setBrowserToken(browser);
  return { url };
}

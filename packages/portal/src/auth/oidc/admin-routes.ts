import type { AdminHandlers, Visit } from '../../http/admin-endpoints.ts';
import { requireSession } from '../sign-in/service.ts';
import { redirectUriOf } from './config.ts';
import { finishFlow, startConfirmation, startSignIn } from './service.ts';
import type { OidcScope, StartedFlow } from './service.ts';
import { findOidc } from './settings.ts';
import { findProviderBySlug } from './store.ts';

/** @param options.adminUrl origin of the administration pages; without one nothing is called */
export const oidcAdminRoutes = ({
  adminUrl = '',
  ...options
}: Omit<OidcScope, 'db' | 'adminUrl'> & { adminUrl: string | undefined }) => {
  const scopeOf = ({ hot }: Visit): OidcScope => ({ db: hot, adminUrl, ...options });
  return {
    // An unknown organization answers like one with passwords.
    readSignInMethods: async ({ hot }, { organization }) => {
      const found = await findProviderBySlug(hot, organization);
      return {
        passwords: found?.passwords ?? true,
        provider: found ? new URL(found.issuer).host : null,
      };
    },
    startOidc: async (visit, { organization }) =>
      leaveFor(visit, await startSignIn(scopeOf(visit), visit.client, organization)),
    confirmWithOidc: async (visit) =>
      leaveFor(visit, await startConfirmation(scopeOf(visit), visit.client, visit.session)),
    finishOidc: async (visit, answer) => {
      const browser = visit.readBrowserToken();
      const finished = await finishFlow(scopeOf(visit), visit.client, browser, answer);
      visit.setBrowserToken(undefined);
      visit.setSession(finished);
      const { account } = await requireSession(visit.hot, finished.token);
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
              redirectUri: redirectUriOf({ adminUrl }),
            }
          : null,
      };
    },
  } satisfies Partial<AdminHandlers>;
};

/** Gives the browser the token that it must have when it comes back. */
function leaveFor(visit: Visit, { url, browser }: StartedFlow): { url: string } {
  visit.setBrowserToken(browser);
  return { url };
}

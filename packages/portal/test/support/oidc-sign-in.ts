import type { Answer } from 'test-support';

import { setOidc } from '../../src/sign-in/oidc/provider-settings.ts';
import { openAdminBrowser } from './admin.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { TestPortal } from './portal.ts';
import { scriptedClientId as clientId } from './scripted-provider.ts';

/** Sets the identity provider of Acme. */
export const setProviderOf = (
  { acme }: TestPortal,
  { issuer }: { issuer: string },
  change: Partial<Parameters<typeof setOidc>[1]> = {},
) => setOidc(acme.ctx, { issuer, clientId, passwords: true, trustEmails: false, ...change });

/** Signs the person of the provider in to Acme. */
export async function signInWith(portal: TestPortal, provider: IdentityProvider): Promise<Answer> {
  const browser = openAdminBrowser(portal);
  const json = { organization: 'acme' };
  const { url } = (await browser.send('POST', '/oidc/start', { json })).json();
  return browser.send('POST', '/oidc/finish', { json: await provider.visit(url) });
}

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { setOidc } from '../../src/sign-in/oidc/provider-settings.ts';
import { createUser } from '../../src/users/service.ts';
import { expectAccessible, expectFits, setUpAdminPages } from '../support/admin-pages.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';

const admin = setUpAdminPages();
let provider: IdentityProvider;
let host: string;
beforeAll(async () => {
  const redirectUri = `${admin.portal.adminUrl}/admin/oidc`;
  provider = await startIdentityProvider({ redirectUri, clientId: 'portal' });
  host = new URL(provider.issuer).host;
  const { ctx } = admin.portal.acme;
  const settings = { issuer: provider.issuer, clientId: 'portal', trustEmails: false };
  await setOidc(ctx, { ...settings, passwords: true });
  await sql`UPDATE organization_oidc SET signed_in_at = now()`.execute(admin.portal.db);
  await setOidc(ctx, { ...settings, passwords: false });
  await createUser(ctx, { email: provider.person.email, name: 'Ada', role: 1 });
});
afterAll(() => provider.close());

/** Opens the sign-in of the organization, with the identity provider's button. */
async function openSignIn() {
  const { page } = await admin.openPage();
  await page.goto(`${admin.portal.adminUrl}/admin`);
  await page.getByLabel('Organization').fill('acme');
  await page.keyboard.press('Tab');
  const leave = page.getByRole('button', { name: `Sign in with ${host}` });
  await leave.waitFor();
  return { page, leave };
}

it('an administrator signs in with the identity provider, and sees how the organization signs in', async () => {
  const { portal } = admin;
  const { page, leave } = await openSignIn();
  await page.getByLabel('Password').waitFor({ state: 'detached' });
  await expectAccessible(page);
  await expectFits(page);
  await leave.click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Account of Ada' }).waitFor();
  expect(page.url()).toBe(`${portal.adminUrl}/admin/organizations/${portal.acme.id}`);

  await page.getByRole('link', { name: 'Sign-in' }).click();
  await page.getByText(provider.issuer, { exact: true }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.close();
});

it('a key is created after a confirmation in a window of the identity provider', async () => {
  const { page, leave } = await openSignIn();
  await leave.click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await sql`UPDATE admin_sessions SET authenticated_at = now() - interval '11 minutes'`.execute(
    admin.portal.db,
  );
  await page.getByRole('button', { name: 'Create a key' }).click();
  const create = page.getByRole('dialog', { name: 'Create a key' });
  await create.getByLabel('Name').fill('Warehouse');
  await create.getByRole('button', { name: 'Create key' }).click();

  const confirm = page.getByRole('dialog', { name: 'Confirm your sign-in' });
  await confirm.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await confirm.waitFor({ state: 'hidden' });
  expect(await create.getByLabel('Name').inputValue()).toBe('Warehouse');

  await create.getByRole('button', { name: 'Create key' }).click();
  const opening = page.context().waitForEvent('page');
  await confirm.getByRole('link', { name: `Confirm with ${host}` }).click();
  const opened = await opening;
  await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The key is created').waitFor();
  await expect.poll(() => opened.isClosed()).toBe(true);
  await page.getByRole('row', { name: /^Warehouse/ }).waitFor();
  await page.close();
});

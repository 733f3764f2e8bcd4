import { expect, it } from 'vitest';

import { listNewest } from '../support/activity.ts';
import { expectAccessible, expectFits, setUpAdminPages } from '../support/admin-pages.ts';
import { choose, openEmbedding, readSnippets } from '../support/paste.ts';

const admin = setUpAdminPages();

it('the code of every framework has the values of the organization, and no others', async () => {
  const { page, complaints } = await openEmbedding(admin);
  const { acme, publicUrl } = admin.portal;
  await choose(page, 'Origin of your application', acme.embedOrigin);
  for (const server of ['Express', 'Next.js', 'Hono', 'Fastify', 'Fetch handler']) {
    await choose(page, 'Your server', server);
    const code = (await readSnippets(page)).map((each) => each.code).join('\n');
    for (const value of [acme.id, acme.address, publicUrl, new URL(acme.embedOrigin).hostname])
      expect(code).toContain(`'${value}'`);
    expect(code).not.toContain('portal.example');
  }
  await page.getByText('createMinter').first().waitFor();
  await page
    .getByText('Add http://localhost:3000 to the embed origins above')
    .waitFor({ state: 'detached' });
  await choose(page, 'Origin of your application', 'http://localhost:3000');
  await page.getByText('Add http://localhost:3000 to the embed origins above').waitFor();
  await page.getByRole('button', { name: 'Copy tenants.js' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a test opens a report as the chosen user, in the name of the administrator', async () => {
  const { page, complaints, email } = await openEmbedding(admin);
  const { acme } = admin.portal;
  await page.getByRole('combobox', { name: 'User', exact: true }).fill('west');
  await page.getByRole('option', { name: /west@acme/ }).click();
  await page.getByRole('combobox', { name: 'All reports' }).fill('Orders');
  await page.getByRole('option', { name: 'Orders', exact: true }).click();
  await page.getByRole('button', { name: 'Open as this user' }).click();
  const portal = page.frameLocator('iframe');
  await portal.getByText(`Viewed as west by ${email}. Read only.`).waitFor();
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  expect(await listNewest(admin.portal, 1)).toMatchObject([
    {
      action: 'viewAs',
      subject: acme.emails.west,
      actor: { kind: 'user', name: email },
      details: { reportId: acme.reportId },
    },
  ]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

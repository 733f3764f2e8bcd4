import { randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import { createUser, updateUser } from '../../src/users/service.ts';
import { countClicks, setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';

const admin = setUpAdminPages();

const openHome = () => admin.open(1, `${randomUUID()}@acme.example`);
const link = (page: AdminPage, name: string) => page.getByRole('link', { name, exact: true });
const button = (page: AdminPage, name: string) => page.getByRole('button', { name, exact: true });
const findUser = async (email: string) =>
  (await admin.portal.api('GET', `/api/user?email=${encodeURIComponent(email)}`)).json().data[0];

it('a user with a report is created with at most 4 clicks', async () => {
  const { page, complaints } = await openHome();
  const { click, expectAtMost } = countClicks('user with reports');
  await click(link(page, 'Users'));
  await click(button(page, 'New user'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('new@acme.example');
  await dialog.getByLabel('Name').fill('Nina New');
  await dialog.getByLabel('Reports').fill('orders');
  await click(page.getByRole('option', { name: 'Orders', exact: true }));
  await click(dialog.getByRole('button', { name: 'Create user' }));
  expectAtMost(4);
  await link(page, 'Nina New').waitFor();
  expect(await findUser('new@acme.example')).toMatchObject({
    name: 'Nina New',
    role: 3,
    reports: [admin.portal.acme.reportId],
  });
  expect(complaints).toEqual([]);
  await page.close();
});

it('a user with two reports is created with at most 4 clicks and Enter', async () => {
  const { page } = await openHome();
  const { click, expectAtMost } = countClicks('user with two reports');
  await click(link(page, 'Users'));
  await click(button(page, 'New user'));
  const dialog = page.getByRole('dialog');
  const email = `${randomUUID()}@acme.example`;
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name').fill('Theo Two');
  const field = dialog.getByRole('combobox', { name: 'Reports' });
  for (const name of ['Orders of the group', 'Orders']) {
    await field.fill(name);
    await page.getByRole('option', { name, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await button(page, `Remove ${name}`).waitFor();
  }
  await click(dialog.getByRole('button', { name: 'Create user' }));
  expectAtMost(4);
  await link(page, 'Theo Two').waitFor();
  const { reportId, groupReportId } = admin.portal.acme;
  const { reports } = await findUser(email);
  expect(reports.toSorted()).toEqual([reportId, groupReportId].toSorted());
  await page.close();
});

it('Enter in the reports of a new user chooses the report that was searched', async () => {
  const { page } = await openHome();
  await link(page, 'Users').click();
  await button(page, 'New user').click();
  const dialog = page.getByRole('dialog');
  const email = `${randomUUID()}@acme.example`;
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Name').fill('Emma Enter');
  await dialog.getByLabel('Reports').pressSequentially('nothing');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reports').fill('');
  await dialog.getByLabel('Reports').pressSequentially('orders');
  await page.getByRole('option', { name: 'Orders', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await link(page, 'Emma Enter').waitFor();
  expect(await findUser(email)).toMatchObject({ reports: [admin.portal.acme.reportId] });
  await page.close();
});

it('a new administrator is shown with the button that invites them', async () => {
  const { page } = await openHome();
  await link(page, 'Users').click();
  await button(page, 'New user').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(`${randomUUID()}@acme.example`);
  await dialog.getByLabel('Name').fill('Bo Bright');
  await dialog.getByRole('combobox', { name: 'Role', exact: true }).click();
  await page.getByRole('option', { name: 'Administrator', exact: true }).click();
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await button(page, 'Invite to the administration').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Bo Bright');
  await page.close();
});

it('the list of reports of a new user does not cover the label of its field', async () => {
  const { page } = await openHome();
  await link(page, 'Users').click();
  await button(page, 'New user').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Reports' }).click();
  await page.getByRole('option').first().waitFor();
  const list = (await page.getByRole('listbox', { name: 'Reports' }).boundingBox())!;
  const label = (await dialog.locator('label', { hasText: 'Reports' }).boundingBox())!;
  expect(list.y + list.height).toBeLessThanOrEqual(label.y);
  await page.close();
});

it.each(['Escape', 'Enter'])(
  '%s closes a dialog and returns the focus to its button',
  async (key) => {
    const { page } = await openHome();
    await link(page, 'Users').click();
    const opener = button(page, 'New user');
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(`${randomUUID()}@acme.example`);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Fay Focus');
    await page.keyboard.press(key);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.close();
  },
);

it('the end of the access is set with at most 4 clicks', async () => {
  const { page, complaints } = await openHome();
  const { click, expectAtMost } = countClicks('expiry');
  await click(link(page, 'Users'));
  await click(link(page, 'west'));
  await page.getByLabel('Access ends').waitFor();
  await click(button(page, 'In 30 days'));
  await click(button(page, 'Save'));
  expectAtMost(4);
  await page.getByText('Saved.').waitFor();
  const { expirationDate } = await findUser(admin.portal.acme.emails.west);
  expect((Date.parse(expirationDate) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);
  expect(complaints).toEqual([]);
  await page.close();
});

it('typed values stay when someone else has saved the user, until they are discarded', async () => {
  const { ctx } = admin.portal.acme;
  const userEmail = `${randomUUID()}@acme.example`;
  await createUser(ctx, { email: userEmail, name: 'Stale', role: 3 });
  const { page, home } = await openHome();
  await page.goto(`${home}/users?search=${userEmail}`);
  await link(page, 'Stale').click();
  const department = page.getByLabel('Department');
  await department.fill('Mine');
  await updateUser(ctx, { userEmail, department: 'Theirs' });
  await button(page, 'Save').click();
  await page.getByText('Someone else has changed this').waitFor();
  expect(await department.inputValue()).toBe('Mine');
  await button(page, 'Discard and load the current version').click();
  await expect.poll(() => department.inputValue()).toBe('Theirs');
  await department.fill('Mine');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  expect(await findUser(userEmail)).toMatchObject({ department: 'Mine' });
  await page.close();
});

it('the fields of a user are disabled while they are saved', async () => {
  const { ctx } = admin.portal.acme;
  const userEmail = `${randomUUID()}@acme.example`;
  await createUser(ctx, { email: userEmail, name: 'Busy', role: 3 });
  const { page, home } = await openHome();
  await page.goto(`${home}/users?search=${userEmail}`);
  await link(page, 'Busy').click();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/users/*', async (route) => {
    if (route.request().method() === 'PUT') await held;
    await route.continue();
  });
  const department = page.getByLabel('Department');
  await department.fill('Sales');
  await button(page, 'Save').click();
  await expect.poll(() => department.isDisabled()).toBe(true);
  release();
  await page.getByText('Saved.').waitFor();
  await expect.poll(() => department.isEnabled()).toBe(true);
  expect(await department.inputValue()).toBe('Sales');
  await page.close();
});

it('a company is created, given to a user, and used to find the user', async () => {
  const { page, home, complaints } = await openHome();
  await link(page, 'Companies').click();
  await page.getByText('No companies').waitFor();
  await button(page, 'New company').last().click();
  await page.getByLabel('Name').fill('Initech');
  await page.keyboard.press('Enter');
  await link(page, '0 users').waitFor();
  await page.goto(`${home}/users?search=east`);
  await link(page, 'east').click();
  await page.getByLabel('Companies').first().fill('ini');
  await page.getByRole('option', { name: 'Initech' }).waitFor();
  await page.keyboard.press('Enter');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  await link(page, 'Companies').click();
  await link(page, '1 user').click();
  await link(page, 'east').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

it('a group is created, and shown as the source of its members’ access', async () => {
  const { page, home, complaints } = await openHome();
  await link(page, 'Groups').click();
  await link(page, 'Leads').waitFor();
  await button(page, 'New group').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Buyers');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Buyers' }).waitFor();
  await page.getByLabel('Add a user').fill('east');
  await page.getByRole('option', { name: /east@acme/ }).click();
  await button(page, 'Remove east').waitFor();
  await page.getByLabel('Add a user').fill('east');
  await page.getByText('Nothing matches.').waitFor();
  await page.getByLabel('Add a report').fill('group');
  await page.getByRole('option', { name: /Orders of the group/ }).click();
  await button(page, 'Remove Orders of the group').waitFor();

  await page.goto(`${home}/users?search=east`);
  await link(page, 'east').click();
  await link(page, 'Group Buyers').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

it('a user is invited to the administration, and deleted after a confirmation', async () => {
  const { ctx } = admin.portal.acme;
  const userEmail = `${randomUUID()}@acme.example`;
  await createUser(ctx, { email: userEmail, name: 'Cora', role: 2 });
  const { page, home } = await openHome();
  await page.goto(`${home}/users?search=${userEmail}`);
  await link(page, 'Cora').click();
  await button(page, 'Invite to the administration').click();
  await page.getByText(`${admin.portal.adminUrl}/admin/invitation#`).waitFor();
  await button(page, 'Close').click();
  await button(page, 'Delete').click();
  const dialog = page.getByRole('dialog', { name: 'Delete Cora?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Cora was deleted.').waitFor();
  expect(await findUser(userEmail)).toBeUndefined();
  await page.goto(`${home}/users?search=${userEmail}`);
  await page.getByText('No user matches').waitFor();
  await page.close();
});

it('the portal is viewed as a user, read only and marked, with at most 3 clicks', async () => {
  const { page, complaints } = await openHome();
  const { click, expectAtMost } = countClicks('view as a user');
  await click(link(page, 'Users'));
  await click(link(page, 'both'));
  await click(link(page, 'View as'));
  expectAtMost(3);
  const portal = page.frameLocator('iframe');
  await portal.getByText(/^Viewed as both by .*@acme\.example\. Read only\.$/).waitFor();
  await page.getByRole('heading', { level: 1, name: 'The portal as both' }).waitFor();
  expect(await portal.getByRole('button', { name: /^Favorite/ }).count()).toBe(0);
  await portal.getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await portal.getByRole('button', { name: 'Refresh' }).waitFor();
  expect(await portal.getByRole('button', { name: 'Print' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

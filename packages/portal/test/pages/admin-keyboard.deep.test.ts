import path from 'node:path';

import { beforeAll, beforeEach, expect, it } from 'vitest';

import { heading, openedEditor, setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';
import { signInAs, testPassword } from '../support/admin.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
const email = 'ada@acme.example';
let page: AdminPage;

beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  await signInAs(admin.portal, acme, 1, email);
  ({ page } = await admin.openPage({ permissions: ['clipboard-read', 'clipboard-write'] }));
  await page.goto(`${admin.portal.adminUrl}/admin`);
  await page.getByLabel('Organization').waitFor();
});

beforeEach(() => {
  keys = 0;
});

let keys = 0;

async function press(key: string): Promise<void> {
  keys += 1;
  await page.keyboard.press(key);
}

type Locator = ReturnType<AdminPage['locator']>;
type Role = Parameters<AdminPage['getByRole']>[0];

/** Presses Tab until the element has the focus. */
async function reach(target: Locator): Promise<void> {
  // The inputs of a choice are hidden below its labels.
  await target.waitFor({ state: 'attached' });
  const isReached = () => target.evaluate((element) => element.matches(':focus'));
  for (let presses = 0; !(await isReached()); presses += 1) {
    if (presses === 100) throw new Error(`Tab does not reach ${String(target)}.`);
    await press('Tab');
  }
}

async function follow(role: Role, name: string | RegExp): Promise<void> {
  await reach(page.getByRole(role, { name, exact: true }).first());
  await press('Enter');
}

async function typeInto(label: string | RegExp, text: string): Promise<void> {
  await reach(page.getByRole('textbox', { name: label }).first());
  await page.keyboard.type(text);
}

it('by keyboard alone, an administrator signs in and creates a user with a report', async () => {
  await typeInto(/^Organization/, 'acme');
  await typeInto('E-mail', email);
  await reach(page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(testPassword);
  await press('Enter');
  await follow('link', 'Users');
  await follow('button', 'New user');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await typeInto(/^E-mail/, 'nina@acme.example');
  await typeInto(/^Name/, 'Nina New');
  await reach(
    dialog.getByRole('textbox', { name: 'Reports' }).or(dialog.getByLabel('Reports')).last(),
  );
  await page.keyboard.type('Order overview');
  await page.getByRole('option', { name: 'Order overview' }).waitFor();
  await press('Enter');
  await follow('button', 'Remove Order overview');
  await page.keyboard.type('Order overview');
  await page.getByRole('option', { name: 'Order overview' }).waitFor();
  await press('Enter');
  await press('Escape');
  await follow('button', 'Create user');
  await page.getByText('Nina New').first().waitFor();
  await page.getByRole('link', { name: 'Nina New' }).waitFor();
  console.info(`sign in, create a user: ${keys} keys besides typing`);
  const { body } = await admin.portal.api('GET', '/api/user?email=nina@acme.example');
  expect(JSON.parse(body).data[0].reports).toHaveLength(1);
});

it('by keyboard alone, a report is edited and an earlier version restored', async () => {
  await follow('link', 'Reports');
  await follow('link', 'Order overview');
  await reach(page.getByRole('tab', { name: 'General' }));
  for (let tab = 0; tab < 3; tab += 1) await press('ArrowRight');
  await reach(page.getByRole('radio', { name: 'Visual' }));
  await press('ArrowRight');
  const { editor } = openedEditor(page);
  await reach(editor);
  await press('Control+Home');
  await press('End');
  await page.keyboard.type(' again');
  await follow('button', 'Save');
  await heading(page, 'Order overview again').waitFor();
  await follow('button', 'Restore version 1 in the editor');
  await expect.poll(() => editor.textContent()).not.toContain('again');
  await follow('button', 'Save');
  await expect.poll(() => heading(page, 'Order overview').textContent()).toBe('Order overview');
  console.info(`edit a report, restore a version: ${keys} keys besides typing`);
});

it('by keyboard alone, a key is created and copied', async () => {
  await follow('link', 'API keys');
  await follow('button', 'Create a key');
  await page.getByRole('dialog').waitFor();
  await typeInto(/^Name/, 'Keyboard');
  await reach(page.getByRole('checkbox', { name: 'users:read' }));
  await press('Space');
  await press('Enter');
  await follow('button', 'Copy API key');
  console.info(`create a key: ${keys} keys besides typing`);
  const key = await page.evaluate<string>('navigator.clipboard.readText()');
  expect((await admin.portal.api('GET', '/api/user', { key })).status).toBe(200);
});

it('by keyboard alone, the portal is viewed as a user', async () => {
  await follow('link', 'Users');
  await follow('link', 'west');
  await follow('link', 'View as');
  const portal = page.frameLocator('iframe');
  await reach(portal.getByRole('button', { name: 'Orders', exact: true }).last());
  await press('Enter');
  await portal.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByText('The portal as west').waitFor();
  console.info(`view as a user: ${keys} keys besides typing`);
  expect(await portal.getByText(`Viewed as west by ${email}. Read only.`).count()).toBe(1);
});

import path from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import {
  expectAccessible,
  expectFits,
  heading,
  setUpAdminPages,
  type AdminPage,
} from '../support/admin-pages.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startSession, view } from '../support/viewer.ts';

const admin = setUpAdminPages();
let page: AdminPage;
let home: string;
let complaints: string[];

beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  ({ page, home, complaints } = await admin.open(1, 'ada@acme.example'));
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const select = (name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const status = () => page.getByRole('main').getByRole('status').filter({ hasText: /:/ });
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();

const listReports = async (): Promise<string[]> => {
  const { data } = (await admin.portal.api('GET', '/api/report?pageSize=200')).json();
  return data.map(({ name }: { name: string }) => name);
};

it('reports are selected, archived, and restored from the notice, with their readers', async () => {
  const { portal } = admin;
  const { acme } = portal;
  const userEmail = acme.emails.west;
  const { reportId } = acme;
  const session = await startSession(portal, acme, { userEmail, reportId });
  const read = async () => (await view(acme.address, session.bearer, reportId)).status;
  expect(await read()).toBe(200);
  await follow('Reports');
  await heading(page, 'Reports').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByText('3 selected').first().waitFor();
  await select('Order overview').uncheck();
  await page.getByText('2 selected').first().waitFor();
  await button('Archive').click();
  await page.getByRole('dialog', { name: 'Archive 2 items' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByText(/^Archived: Orders and Orders of the group\./).waitFor();
  expect(await listReports()).toEqual(['Order overview']);
  expect(await read()).toBe(403);
  expect(await row('Orders of the group').count()).toBe(0);
  await button('Restore').click();
  await page.getByText(/^Restored: Orders and Orders of the group\./).waitFor();
  expect(await read()).toBe(200);
  await row('Orders of the group').waitFor();
});

it('reports are renamed, moved and duplicated together', async () => {
  await page.goto(`${home}/reports`);
  for (const name of ['Orders', 'Order overview']) await select(name).check();
  await button('Rename').click();
  await page.getByLabel('New name of Order overview').fill('Overview of all orders');
  await page.keyboard.press('Enter');
  await page.getByText('Renamed: Overview of all orders.').waitFor();
  for (const name of ['Orders', 'Overview of all orders']) await select(name).check();
  await button('Move').click();
  await page.getByRole('dialog').getByLabel('Workspace').fill('Everything');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('Moved: Orders and Overview of all orders.').waitFor();
  await expect.poll(() => row('Everything').count()).toBe(2);
  await select('Overview of all orders').check();
  await button('Duplicate').click();
  await page.getByText(/^Created: Overview of all orders \(2\)\./).waitFor();
  await row('Overview of all orders (2)').waitFor();
  expect(await row('Overview of all orders (2)').getByRole('cell').nth(3).textContent()).toBe('0');
});

it('a change that fails for one item names it and why, and does the others', async () => {
  await page.goto(`${home}/reports`);
  for (const name of ['Orders', 'Overview of all orders (2)']) await select(name).check();
  // The page does not know yet that somebody else deletes one of them.
  const { db, acme } = admin.portal;
  await db
    .deleteFrom('reports')
    .where('organization_id', '=', acme.id)
    .where('name', '=', 'Overview of all orders (2)')
    .execute();
  await button('Archive').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.getByText(/^Archived: Orders\./).waitFor();
  expect(await alert.getByRole('listitem').allTextContents()).toEqual([
    'Overview of all orders (2): This report does not exist. Load the page again.',
  ]);
  expect(await alert.evaluate((element) => element.matches(':focus'))).toBe(true);
  await button('Restore').click();
  await page.getByText('Restored: Orders.').waitFor();
});

it('a file that was uploaded before is offered to replace the data, and its twin is removed', async () => {
  const upload = async () => {
    await page.goto(`${home}/datasets`);
    await button('Upload a file').click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel('CSV file, Excel workbook or Parquet file').click();
    const buffer = Buffer.from(ordersCsv);
    await (await chooser).setFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
    // Two datasets of the organization are named Orders.
    await page
      .getByText('Orders (datasets/orders.yaml) was made from a file with the same content.')
      .waitFor();
  };
  await upload();
  await expectAccessible(page);
  await button('Replace data of Orders (datasets/orders.yaml)').click();
  await page.getByText('The data is the same. Nothing would change.').waitFor();
  expect(await button('Replace file').isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await upload();
  await page.getByRole('textbox', { name: 'Name' }).fill('Twin');
  await button('Create a second dataset and report').click();
  await heading(page, 'Twin').waitFor();
  await follow('Datasets');
  await select('Twin').check();
  await button('Archive').click();
  await page.getByText('1 report uses this data and is archived, too:').waitFor();
  await button('Archive them together').click();
  await page.getByText(/^Archived: Twin and Twin\./).waitFor();
  await follow('Archive');
  await heading(page, 'Archive').waitFor();
  await expect.poll(() => row('Twin').count()).toBe(2);
  expect(await row('Twin').first().textContent()).toContain('ada@acme.example');
  await expectAccessible(page);
  await expectFits(page);
  for (const box of await page.getByRole('checkbox', { name: 'Select Twin' }).all())
    await box.check();
  await button('Delete for good').click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 items for good' });
  await dialog.getByText(/^Data files that are deleted: twin\.csv\. This frees/).waitFor();
  const submit = dialog.getByRole('button', { name: 'Delete for good', exact: true });
  expect(await submit.isDisabled()).toBe(true);
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole('checkbox').check();
  await submit.click();
  await page.getByText('Deleted for good: Twin and Twin.').waitFor();
  await heading(page, 'Archive').waitFor();
  await page.getByText('Nothing is archived').waitFor();
});

it('by keyboard alone, a report is archived on its page, restored, archived again and deleted', async () => {
  await page.goto(`${home}/reports`);
  const press = (key: string) => page.keyboard.press(key);
  const reach = async (target: ReturnType<AdminPage['locator']>) => {
    await target.waitFor();
    const isReached = () => target.evaluate((element) => element.matches(':focus'));
    for (let presses = 0; !(await isReached()); presses += 1) {
      if (presses === 100) throw new Error(`Tab does not reach ${String(target)}.`);
      await press('Tab');
    }
  };
  await reach(page.getByRole('link', { name: 'Orders of the group', exact: true }));
  await press('Enter');
  await reach(button('Archive'));
  await press('Enter');
  await reach(page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }));
  await press('Enter');
  await page.getByText(/^Archived: Orders of the group\./).waitFor();
  expect(await status().evaluate((element) => element.matches(':focus'))).toBe(true);
  await press('Tab');
  await reach(button('Restore'));
  await press('Enter');
  await page.getByText('Restored: Orders of the group.').waitFor();
  await reach(select('Orders of the group'));
  await press('Space');
  await page.getByText('1 selected').first().waitFor();
  await press('Shift+Tab');
  await reach(button('Archive'));
  await press('Enter');
  await reach(page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }));
  await press('Enter');
  await page.getByText(/^Archived: Orders of the group\./).waitFor();
  await page.goto(`${home}/archive`);
  await reach(select('Orders of the group'));
  await press('Space');
  await press('Shift+Tab');
  await reach(button('Delete for good'));
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.getAttribute("autocomplete")'))
    .toBe('off');
  await page.keyboard.type('Orders of the group');
  await press('Enter');
  await page.getByText('Deleted for good: Orders of the group.').waitFor();
  expect(await listReports()).not.toContain('Orders of the group');
});

it('a contributor archives and restores reports of all workspaces, but deletes nothing', async () => {
  const { portal } = admin;
  await linkReports(portal.acme.ctx, {
    userEmail: portal.acme.emails.east,
    reports: [portal.acme.reportId],
  });
  const opened = await admin.open(2, 'cora@acme.example');
  const { page: other } = opened;
  await portal.db
    .updateTable('users')
    .set({ can_edit_report: true, can_create_report: false })
    .where('email', '=', 'cora@acme.example')
    .execute();
  await other.goto(`${opened.home}/reports`);
  await other.getByRole('checkbox', { name: 'Select Orders', exact: true }).check();
  expect(await other.getByRole('button', { name: 'Duplicate' }).count()).toBe(0);
  await other.getByRole('button', { name: 'Archive', exact: true }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  await other.getByText(/^Archived: Orders\./).waitFor();
  await other.goto(`${opened.home}/archive`);
  await other.getByRole('checkbox', { name: 'Select Orders', exact: true }).check();
  expect(await other.getByRole('button', { name: 'Delete for good' }).count()).toBe(0);
  await other.getByRole('button', { name: 'Restore', exact: true }).click();
  await other.getByText('Restored: Orders.').waitFor();
  expect(await listReports()).toContain('Orders');
  expect(opened.complaints).toEqual([]);
});

it('the pages have written no errors', () => {
  expect(complaints).toEqual([]);
});

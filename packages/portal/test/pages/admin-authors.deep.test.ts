import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { createUser, updateUser } from '../../src/users/service.ts';
import { heading, openedEditor, setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';
import { apply, ordersFiles, ordersReport, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
let reportId: string;

beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  reportId = changes.find(({ kind }) => kind === 'report')!.id;
});

const email = () => `${randomUUID()}@acme.example`;
const button = (page: AdminPage, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the definition of the report "Order overview". */
async function openDefinition(opened: { page: AdminPage; home: string }) {
  await opened.page.goto(`${opened.home}/reports/${reportId}/edit#/definition`);
  await opened.page.locator('.cm-line').first().waitFor();
  return openedEditor(opened.page);
}

/** Chooses a file where the page asks for one. */
async function chooseFile(
  page: AdminPage,
  label: RegExp,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
  await (await chooser).setFiles(file);
}

it('the second of two administrators who save a report sees a conflict, and nothing is lost', async () => {
  const [one, two] = await Promise.all([admin.open(1, email()), admin.open(1, email())]);
  const first = await openDefinition(one);
  const second = await openDefinition(two);
  await second.replaceText('name: Order overview', 'name: Of the second');
  await first.replaceText('name: Order overview', 'name: Of the first');
  await first.save();
  await heading(one.page, 'Of the first').waitFor();

  const { page } = two;
  await second.save();
  await page.getByText('Somebody else has saved in the meantime').waitFor();
  expect(await second.editor.textContent()).toContain('Of the second');
  await page.getByRole('alert').getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog');
  await compared.getByText('name: Of the first').waitFor();
  await compared.getByText('name: Of the second').waitFor();
  await compared.getByRole('button', { name: 'Close' }).click();
  await button(page, 'Keep my text').click();
  await button(page, 'Compare version 2').waitFor();
  await second.save();
  await heading(page, 'Of the second').waitFor();

  await button(page, 'Restore version 2 in the editor').click();
  await expect.poll(() => second.editor.textContent()).toContain('Of the first');
  await page.close();
  await one.page.close();
});

it('a report is created from a dataset', async () => {
  const { page, home } = await admin.open(1, email());
  await page.goto(`${home}/reports`);
  await button(page, 'New report').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('From a dataset');
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('Orders');
  await dialog.getByLabel('Workspace').pressSequentially('Sales');
  // The list of workspaces must not cover the button.
  await dialog.getByRole('button', { name: 'Create' }).click();
  await heading(page, 'From a dataset').waitFor();
  const { editor, preview } = openedEditor(page);
  await expect.poll(() => editor.textContent()).toContain('dataset: orders');
  await preview.waitFor();
  await page.close();
});

it('a definition file becomes a report, and replaces it after a confirmation', async () => {
  const { page, home } = await admin.open(1, email());
  const importText = async (name: string) => {
    await page.goto(`${home}/reports`);
    await button(page, 'New report').click();
    await page.getByRole('tab', { name: 'From a definition file' }).click();
    const buffer = Buffer.from(ordersReport.replace('Order overview', name));
    await chooseFile(page, /^File/, { name: 'imported.yaml', mimeType: 'text/yaml', buffer });
    await button(page, 'Create').click();
  };
  await importText('Imported');
  await heading(page, 'Imported').waitFor();
  await importText('Imported again');
  await page.getByText('A report from the file imported.yaml exists already.').waitFor();
  await button(page, 'Replace').click();
  await heading(page, 'Imported again').waitFor();
  expect(await openedEditor(page).editor.textContent()).toContain('name: Imported again');
  await page.close();
});

it('a Parquet file becomes a dataset and a report', async () => {
  const { acme, datasetFolder } = admin.portal;
  const { page, home } = await admin.open(1, email());
  const upload = async (name: string, buffer: Buffer) => {
    await page.goto(`${home}/datasets`);
    await button(page, 'Upload a file').click();
    const mimeType = 'application/octet-stream';
    await chooseFile(page, /^CSV file, Excel workbook or Parquet file/, { name, mimeType, buffer });
    await page.getByText('The file has 4 rows and 5 columns.').waitFor();
    await button(page, 'Create dataset and report').click();
  };
  await upload('First.csv', Buffer.from(ordersCsv.replaceAll('Chairs', 'Sofas')));
  await heading(page, 'First').waitFor();
  // The portal keeps uploaded rows as Parquet.
  const versions = path.join(datasetFolder, acme.id, '.versions');
  const kept = fs.readdirSync(versions).find((name) => name.endsWith('.parquet'))!;
  await upload('Second.parquet', fs.readFileSync(path.join(versions, kept)));
  await heading(page, 'Second').waitFor();
  await expect.poll(() => openedEditor(page).preview.textContent()).toContain('70');
  await page.close();
});

it('a contributor arranges reports, and cannot open other pages', async () => {
  const opened = await admin.open(2, email());
  const { page, home } = opened;
  const entries = page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
  expect(await entries.allTextContents()).toEqual(['Overview', 'Reports', 'Datasets', 'Archive']);
  const definition = await openDefinition(opened);
  expect(await page.getByRole('tablist').first().getByRole('tab').allTextContents()).toEqual([
    'General',
    'Definition',
  ]);
  await definition.replaceText('name: Overview', 'name: Arranged');
  await definition.save();
  await page
    .getByText('Saved. Readers see the change when they open or refresh a report.')
    .waitFor();
  for (const forbidden of ['/users', '/groups', '/settings/api-keys', '/access-log']) {
    await page.goto(home + forbidden);
    await heading(page, 'You have no access to this page').waitFor();
  }
  await page.close();
});

it('a contributor without the rights can only read reports', async () => {
  const userEmail = email();
  const { ctx } = admin.portal.acme;
  const rights = { canCreateReport: false, canEditReport: false, canOverwriteReport: false };
  const opened = await admin.open(2, userEmail);
  await updateUser(ctx, { userEmail, ...rights });
  const { page, home } = opened;
  await page.goto(`${home}/reports`);
  await page.getByRole('link', { name: 'Orders', exact: true }).waitFor();
  expect(await button(page, 'New report').count()).toBe(0);
  await openDefinition(opened);
  expect(await button(page, 'Save').count()).toBe(0);
  await page.close();
});

it('a workspace contributor sees the reports of their own workspaces', async () => {
  const userEmail = email();
  const { page, home } = await admin.open(4, userEmail);
  await page.getByText('You have no workspaces yet.').waitFor();
  await page.goto(`${home}/reports`);
  await page.getByText('Ask an administrator for a workspace').waitFor();
  expect(await button(page, 'New report').count()).toBe(0);

  const administrator = await admin.open(1, email());
  await administrator.page.goto(`${administrator.home}/workspaces`);
  const picker = administrator.page.getByRole('combobox', { name: 'Add a contributor to Leads' });
  await picker.fill(userEmail);
  await administrator.page.getByRole('option', { name: userEmail }).click();
  await button(administrator.page, `Remove ${userEmail}`).waitFor();
  await administrator.page.close();

  await page.reload();
  await page.getByRole('link', { name: 'Orders of the group' }).waitFor();
  expect(await page.getByRole('main').getByRole('row').count()).toBe(2);
  await page.goto(home);
  const workspaces = page.getByRole('region', { name: 'Workspaces' });
  await workspaces.getByText('Leads').waitFor();
  expect(await workspaces.getByRole('listitem').count()).toBe(1);
  await page.close();
});

it('a workspace picker offers the workspace contributors who are not in the workspace yet', async () => {
  const { ctx, emails } = admin.portal.acme;
  const userEmail = email();
  await createUser(ctx, { email: userEmail, name: 'Will Workspace', role: 4 });
  const { page, home } = await admin.open(1, email());
  await page.goto(`${home}/workspaces`);
  const picker = page.getByRole('combobox', { name: 'Add a contributor to Leads' });
  const none = page.getByText('No other workspace contributor matches.');
  await picker.fill(emails.west);
  await none.waitFor();
  expect(await page.getByRole('option').count()).toBe(0);
  await picker.fill(userEmail);
  await page.getByRole('option', { name: userEmail }).click();
  await button(page, 'Remove Will Workspace').waitFor();
  await picker.fill(userEmail);
  await none.waitFor();
  await page.close();
});

it('the report of an uploaded file can be put into a workspace that exists', async () => {
  const { page, home } = await admin.open(1, email());
  await page.goto(`${home}/datasets`);
  await button(page, 'Upload a file').click();
  const file = {
    name: 'Third.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(ordersCsv.replaceAll('Chairs', 'Beds')),
  };
  await chooseFile(page, /^CSV file, Excel workbook or Parquet file/, file);
  const workspace = page.getByRole('combobox', { name: 'Workspace' });
  await workspace.click();
  await page.getByRole('option', { name: 'Leads' }).click();
  expect(await workspace.inputValue()).toBe('Leads');
  const isNew = page.getByText('No workspace has this name yet. It will be created.');
  expect(await isNew.count()).toBe(0);
  await workspace.fill('Elsewhere');
  await isNew.waitFor();
  await workspace.fill('Leads');
  await button(page, 'Create dataset and report').click();
  await heading(page, 'Third').waitFor();
  await page.close();
});

import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { updateUser } from '../../src/users/service.ts';
import {
  expectAccessible,
  expectFits,
  heading,
  setUpAdminPages,
  type AdminPage,
} from '../support/admin-pages.ts';
import {
  apply,
  ordersDataset,
  ordersFiles,
  ordersReport,
  writeFiles,
} from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
const ids: Record<string, string> = {};
beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const everyone = ordersDataset.replace(/roles:[^]*/, 'rowAccess: everyone\n');
  const { changes } = await apply(acme.ctx, datasetFolder, {
    files: {
      ...ordersFiles,
      'datasets/payroll.yaml': everyone.replace('name: Orders', 'name: Payroll'),
      'reports/payroll.yaml': ordersReport
        .replace('Order overview', 'Payroll')
        .replace('workspace: Sales', 'workspace: Finance')
        .replace('dataset: orders', 'dataset: payroll'),
    },
  });
  for (const { kind, slug, id } of changes) ids[`${kind} ${slug}`] = id;
});

const email = () => `${randomUUID()}@acme.example`;
const button = (page: AdminPage, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: AdminPage, name: string) => page.getByRole('link', { name, exact: true });

const chooseFile = async (page: AdminPage, name: string, text: string) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByRole('button', { name: /^File/ }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });
};

it('a workspace contributor uses a dataset once an administrator opens it to the workspace', async () => {
  const userEmail = email();
  const { page, home, complaints } = await admin.open(4, userEmail);
  const ada = (await admin.open(1, email())).page;
  await ada.goto(`${home}/workspaces`);
  await ada.getByRole('combobox', { name: 'Add a contributor to Sales' }).fill(userEmail);
  await ada.getByRole('option', { name: userEmail }).click();
  await button(ada, `Remove ${userEmail}`).waitFor();

  await page.goto(`${home}/datasets`);
  await link(page, 'Orders').first().waitFor();
  expect(await link(page, 'Payroll').count()).toBe(0);
  await ada.goto(`${home}/datasets/${ids['dataset payroll']}`);
  await ada.getByRole('combobox', { name: 'Open it to a workspace' }).fill('Sales');
  await ada.getByRole('option', { name: 'Sales' }).click();
  await button(ada, 'Remove Sales').waitFor();
  await ada.close();

  await page.reload();
  await link(page, 'Payroll').click();
  await heading(page, 'Payroll').waitFor();
  // Definition, metrics, roles and access are for administrators.
  expect(await page.getByRole('tab').count()).toBe(0);
  await button(page, 'New report').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Pay by region');
  const workspace = dialog.getByRole('combobox', { name: 'Workspace' });
  await workspace.fill('Finance');
  await dialog.getByText('This is not one of your workspaces.').waitFor();
  await workspace.fill('Sales');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await heading(page, 'Pay by region').waitFor();
  // Everyone sees its rows.
  await page.getByText('$70').first().waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

it('a contributor without the right to create replaces a report by a definition file', async () => {
  const userEmail = email();
  const { page, home } = await admin.open(2, userEmail);
  const { ctx } = admin.portal.acme;
  await updateUser(ctx, { userEmail, canCreateReport: false, canEditReport: false });
  await page.goto(`${home}/reports`);
  await page.getByText('You may not create reports. An administrator').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await button(page, 'Replace a report').click();
  await chooseFile(page, 'orders.yaml', ordersReport.replace('Order overview', 'Replaced'));
  await button(page, 'Create').click();
  await page.getByText('A report from the file orders.yaml exists already.').waitFor();
  await button(page, 'Replace').click();
  await heading(page, 'Replaced').waitFor();
  await page.getByText('You may not edit reports. An administrator').waitFor();
  expect(await button(page, 'Save').count()).toBe(0);
  await expectAccessible(page);
  await page.close();
});

it('a contributor without rights reads reports and is told in Portuguese what is missing', async () => {
  const userEmail = email();
  const { page, home } = await admin.open(2, userEmail, { locale: 'pt-BR' });
  const rights = { canCreateReport: false, canEditReport: false, canOverwriteReport: false };
  await updateUser(admin.portal.acme.ctx, { userEmail, ...rights });
  await page.goto(`${home}/reports`);
  await page.getByText('Você não pode criar relatórios.').waitFor();
  expect(await button(page, 'Novo relatório').count()).toBe(0);
  expect(await button(page, 'Substituir um relatório').count()).toBe(0);
  await page.goto(`${home}/datasets/${ids['dataset orders']}`);
  await page.getByText('Você não pode criar relatórios.').waitFor();
  await page.close();
});

it('the preview of an administrator shows all rows, then those of a chosen user', async () => {
  const { page, home } = await admin.open(1, email());
  await page.goto(`${home}/reports/${ids['report orders']}/edit#/definition`);
  await page.getByText('The preview shows all rows.').waitFor();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('$70').first().waitFor();
  await expect.poll(() => page.locator('.preview svg.plot').count()).toBeGreaterThan(0);
  await page.getByRole('combobox', { name: 'Preview as another user' }).fill('west@');
  await page.getByRole('option', { name: /^west/ }).click();
  await preview.getByText('west has no role in the dataset of this report').waitFor();
  await button(page, 'Show all rows').click();
  await preview.getByText('$70').first().waitFor();
  await page.close();
});

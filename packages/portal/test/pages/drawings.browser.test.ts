import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import { openedEditor, setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { isPrintingHandled } from '../support/printing.ts';
import { mint, type MintBody } from '../support/viewer.ts';

const admin = setUpAdminPages();
let reportId: string;
let datasetId: string;
beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  const find = (kind: string) => changes.find((change) => change.kind === kind)!.id;
  [reportId, datasetId] = [find('report'), find('dataset')];
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
});

/** Opens Acme's report, which has two charts, or the home of the portal. */
async function openPortal(body: Partial<MintBody> = { reportId: admin.portal.acme.reportId }) {
  const { acme } = admin.portal;
  const opened = await admin.openPage();
  await opened.page.goto(await mint(admin.portal, acme, { userEmail: acme.emails.both, ...body }));
  return opened;
}

/** Waits for charts with marks, at their size. */
async function expectDrawn(page: AdminPage, within: string, count = 1): Promise<void> {
  const drawings = page.locator(`${within} svg.plot`);
  await expect.poll(() => drawings.count()).toBe(count);
  for (const drawing of await drawings.all()) {
    expect(await drawing.locator('path, rect, circle').count()).toBeGreaterThan(0);
    // A drawing that is being replaced has no box.
    await expect.poll(async () => (await drawing.boundingBox())?.width ?? 0).toBeGreaterThan(100);
  }
}

async function openDefinition() {
  const { page, complaints, home } = await admin.open(1, `${randomUUID()}@acme.example`);
  await page.goto(`${home}/reports/${reportId}/edit#/definition`);
  return { page, complaints };
}

async function previewAsWest(page: AdminPage): Promise<void> {
  await page.getByRole('combobox', { name: 'Preview as another user' }).fill('west@');
  await page.getByRole('option', { name: /^west/ }).click();
  await openedEditor(page).preview.getByText('$30').waitFor();
}

it('a report in a page of its own draws its charts', async () => {
  const { page, complaints } = await openPortal();
  await expectDrawn(page, '.report', 2);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a report that a reader opens from the home draws its charts', async () => {
  const { page, complaints } = await openPortal({});
  await page.getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await expectDrawn(page, '.report', 2);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the full view of a tile draws its chart', async () => {
  const { page, complaints } = await openPortal();
  await expectDrawn(page, '.report', 2);
  await page.getByRole('button', { name: 'More: Sales by category' }).press('Enter');
  await page.locator('.tile-enlarge:visible').click();
  await expectDrawn(page, '.tile:popover-open');
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the sheets of a printed report have its charts', async () => {
  const { page, complaints } = await openPortal();
  await expectDrawn(page, '.report', 2);
  await expect.poll(() => isPrintingHandled(page)).toBe(true);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: 'print' });
  await expectDrawn(page, '.report', 2);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a report that an administrator views as a user draws its charts', async () => {
  const { page, complaints, home } = await admin.open(1, `${randomUUID()}@acme.example`);
  await page.goto(`${home}/users`);
  await page.getByRole('link', { name: 'west', exact: true }).click();
  await page.getByRole('link', { name: 'View as', exact: true }).click();
  const portal = page.frameLocator('iframe');
  await portal.getByRole('main').getByRole('button', { name: 'Orders', exact: true }).click();
  await expect.poll(() => portal.locator('svg.plot').count()).toBe(2);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the preview of a definition draws its charts, and draws a changed one', async () => {
  const { page, complaints } = await openDefinition();
  await previewAsWest(page);
  await expectDrawn(page, '.preview');
  const bars = page.locator('.preview svg.plot [aria-label="rect"]');
  expect(await bars.count()).toBe(0);
  expect(complaints).toEqual([]);
  await openedEditor(page).replaceText('type: line', 'type: column');
  await expect.poll(() => bars.count()).toBeGreaterThan(0);
  await expectDrawn(page, '.preview');
  await page.context().close();
});

it('a preview whose charts cannot be loaded shows their tables', async () => {
  const { page } = await openDefinition();
  await page.route('**/chart-code*', (route) => route.abort());
  await page.reload();
  await previewAsWest(page);
  await expect.poll(() => page.locator('.preview .tile table').count()).toBe(1);
  await page.context().close();
});

import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { createLogger } from '../../src/logger.ts';
import { declareRoles } from '../../src/remote-platforms/service.ts';
import { startSyncs } from '../../src/remote-platforms/sync-job.ts';
import { expectAccessible, expectFits, heading, setUpAdminPages } from '../support/admin-pages.ts';
import type { AdminPage } from '../support/admin-pages.ts';
import { createWorkspaces, TestPowerbi } from '../support/powerbi.ts';

let powerbi: TestPowerbi;
const admin = setUpAdminPages(async () => {
  powerbi = await TestPowerbi.start(() => admin.portal);
  return [powerbi.platform];
});

/** Folder for screenshots, to look at them. */
const screenshots = process.env['PORTAL_TEST_SCREENSHOTS'];

const [shop, field] = createWorkspaces(2, 3) as [
  ReturnType<typeof createWorkspaces>[0],
  ReturnType<typeof createWorkspaces>[0],
];
Object.assign(shop, { name: 'Shop' });
Object.assign(field, { name: 'Field service', hasCapacity: false });
const unlisted = { id: crypto.randomUUID(), name: 'Stocks of another workspace' };

let page: AdminPage;
let complaints: string[];
let home: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ page, complaints, home } = await admin.open(1, 'ada@acme.example'));
  const { portal } = admin;
  stop = startSyncs({
    db: portal.db,
    publicUrl: portal.publicUrl,
    platforms: [powerbi.platform],
    logger: createLogger('silent'),
    intervalMs: 100,
  });
});
afterAll(async () => {
  await stop();
  await powerbi[Symbol.asyncDispose]();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const section = (name: string) => page.getByRole('region', { name, exact: true });
const row = (name: string | RegExp) => page.getByRole('row', { name });

async function show(pathOfPage: string, title: string): Promise<void> {
  await page.goto(home + pathOfPage);
  await heading(page, title).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Expects that the page is accessible and fits, and keeps a picture of each look. */
async function expectGood(name: string): Promise<void> {
  for (const width of [390, 1024, 1440, 1920])
    for (const colorScheme of ['light', 'dark'] as const) {
      if (screenshots === undefined) break;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      fs.mkdirSync(screenshots, { recursive: true });
      const file = path.join(screenshots, `${name} ${width} ${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
  await expectFits(page, [390, 1024, 1440, 1920]);
  await expectAccessible(page);
}

it('an administrator of an organization without a connection reads what an operator does', async () => {
  await page.goto(home);
  await page.getByRole('link', { name: 'Report platforms', exact: true }).click();
  await heading(page, 'Report platforms').waitFor();
  await page.getByText('No other product is connected').waitFor();
  await page.getByText('PORTAL_POWERBI_SECRET_ACME').waitFor();
  await expectGood('without a connection');
});

it('the connection, its first synchronization and what is left out are shown', async () => {
  shop.reports.push(
    { id: crypto.randomUUID(), name: 'Invoice' },
    { ...unlisted, model: crypto.randomUUID() },
    {
      id: crypto.randomUUID(),
      name: 'Moved',
      model: shop.models[0]!.id,
      embedUrl: 'https://evil.example/',
    },
  );
  await powerbi.connect(admin.portal.acme, [shop, field]);
  await show('/settings/platforms', 'Report platforms');
  await row(/^Shop.* 3$/).waitFor();
  const syncs = section('Synchronizations');
  await syncs.getByText(/New \(6\): Report 0\.0/).waitFor();
  for (const name of ['Invoice', unlisted.name, 'Moved'])
    await syncs.getByText(`Report "${name}" of workspace "Shop" is not listed`).waitFor();
  expect(await row(/^Model 0 Not named yet/).count()).toBe(1);
});

it('a check by keyboard shows each step', async () => {
  powerbi.standIn.trialUsage = 85;
  await button('Check now').focus();
  await page.keyboard.press('Enter');
  const check = section('Check');
  await check.getByText('sign-in works').waitFor();
  expect(await check.getByRole('listitem').count()).toBe(4);
  await check.getByText('workspace "Shop": 6 reports').waitFor();
  await check.getByText(/Field service.*it has no capacity/).waitFor();
  await check.getByText('85 % of the trial tokens').waitFor();
  await check.getByText(/^Ended .*requested by ada@acme.example/).waitFor();
});

it('a requested synchronization shows what changed, and a failed one why', async () => {
  const [renamed, gone] = shop.reports;
  renamed!.name = 'Sales by region';
  shop.reports.splice(shop.reports.indexOf(gone!), 1);
  await linkReports(admin.portal.acme.ctx, {
    userEmail: admin.portal.acme.emails.west,
    reports: [gone!.id],
  });
  await button('Synchronize now').click();
  await page.getByText('Renamed (1): Report 0.0 → Sales by region').waitFor();
  await page.getByText('Archived, no longer there (1): Report 0.1').waitFor();
  powerbi.standIn.faults.set(`/groups/${field.id}`, 'no-rights');
  await button('Synchronize now').click();
  await section('Synchronizations')
    .getByRole('alert')
    .getByText(/Add it there as a member/)
    .waitFor();
  powerbi.standIn.faults.clear();
  await declareRoles(admin.portal.acme.ctx, powerbi.platform, {
    datasetId: shop.models[0]!.id,
    names: ['East', 'West'],
  });
  await page.reload();
  await row('Model 0 East, West').waitFor();
  await expectGood('with a connection');
});

it('lists and pages of reports and datasets name the product', async () => {
  await show('/reports', 'Reports');
  await row(/Sales by region Power BI/).waitFor();
  await expectGood('reports');
  await page.getByRole('link', { name: 'Sales by region' }).click();
  await page.getByText('From Power BI. It is written there.').waitFor();
  expect(await page.getByRole('link', { name: 'Open it in Power BI' }).getAttribute('href')).toBe(
    `https://app.powerbi.com/groups/${shop.id}/reports/${shop.reports[0]!.id}`,
  );
  expect(await page.getByRole('tab').allTextContents()).toEqual([
    'General',
    'Access',
    'Rows',
    'Usage',
  ]);
  await expectGood('a report');
  await page.getByRole('tab', { name: 'Rows' }).click();
  await page.getByRole('heading', { name: 'West' }).waitFor();
  await page.getByLabel('Give the role West to a user or group').fill('west');
  await page.getByRole('option', { name: /west@acme.example/ }).click();
  await page.getByText(/has the role West\.$/).waitFor();
  await show('/datasets', 'Datasets');
  await row(/^.*Model 0 Power BI 2 2$/).waitFor();
  await page.getByRole('link', { name: 'Model 0' }).click();
  await page.getByText('Defined in Power BI; operators name them here.').waitFor();
  await row('West 1 0').waitFor();
  await expectGood('a dataset');
});

it('the archive and the activity log say what happened in words', async () => {
  await show('/archive', 'Archive');
  await row(/Report 0\.1 No longer in Power BI/).waitFor();
  await expectGood('archive');
  await show('/activity-log', 'Activity log');
  await page.getByText('Renamed (1): Report 0.0 → Sales by region').first().waitFor();
  await page.getByText('Roles: East, West').first().waitFor();
  await expectGood('activity log');
});

it('an operator sees the same page, and a contributor none', async () => {
  const operator = await admin.open('operator', 'olga@portal.example');
  await operator.page.goto(`${home}/settings/platforms`);
  await operator.page.getByText('85 % of the trial tokens').waitFor();
  const contributor = await admin.open(2, 'cora@acme.example');
  expect(await contributor.page.getByRole('link', { name: 'Report platforms' }).count()).toBe(0);
  await contributor.page.goto(`${home}/settings/platforms`);
  await contributor.page.getByText('You have no access to this page').waitFor();
});

it('nothing complains', () => {
  expect(complaints).toEqual([]);
});

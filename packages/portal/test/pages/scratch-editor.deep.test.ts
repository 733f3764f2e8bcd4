import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, it } from 'vitest';
import { setUpAdminPages } from '../support/admin-pages.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
let reportId: string;
beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: { ...ordersFiles, 'reports/orders.yaml': `# The board's report
name: Order overview
workspace: Sales
dataset: orders
filters:
  - field: Region
pages:
  - name: Overview
    rows:
      # Money
      - tiles:
          - type: kpi
            metric: Sales
          - type: line
            x: Ordered by month
            y: Sales # in dollars
            width: 8
      - tiles:
          - type: bar
            x: Region
            y: Sales
          - type: table
            dimensions: [Region, Owner]
            metrics: [Sales]
            conditionalFormat:
              Sales: { type: thresholds, thresholds: [{ below: 30, status: bad }] }
  - name: Details
    rows:
      - tiles:
          - type: text
            text: Hello
` } });
  reportId = changes.find(({ kind }) => kind === 'report')!.id;
});
it('shots', async () => {
  const { page, home, complaints } = await admin.open(1, `${randomUUID()}@acme.example`);
  await page.goto(`${home}/reports/${reportId}/edit#/definition`);
  await page.locator('.canvas-tile').first().waitFor();
  await page.locator('.preview .tile svg').first().waitFor({timeout: 10000}).catch(() => console.log('NO CHART'));
  await page.locator('.canvas-tile').nth(3).click();
  for (const width of [390, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: `/tmp/shots/visual-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Change type' }).click();
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/shots/types.png` });
  await page.keyboard.press('Escape');
  await page.getByText('Both', {exact:true}).click();
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/shots/both.png`, fullPage: true });
  await page.getByText('YAML', {exact:true}).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(500);
  await page.screenshot({ path: `/tmp/shots/yaml-dark.png`, fullPage: true });
  console.log(complaints);
});

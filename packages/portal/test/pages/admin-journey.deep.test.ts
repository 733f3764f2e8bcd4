import { expect, it } from 'vitest';

import { countClicks, setUpAdminPages } from '../support/admin-pages.ts';

const admin = setUpAdminPages();

const rows = Array.from({ length: 200 }, (_, index) => {
  const region = ['North', 'South', 'East', 'West'][index % 4]!;
  const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
  return `${day},${region},${index % 9 === 0 ? -20 : 10 + index / 4}`;
});
const file = {
  name: 'orders.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Day,Region,Amount', ...rows].join('\n')),
};
const north = rows
  .filter((row) => row.includes(',North,'))
  .reduce((sum, row) => sum + Number(row.split(',')[2]), 0);

it('a file becomes a changed report with a metric, a role and its reader in 25 clicks, without YAML', async () => {
  const { page, complaints } = await admin.open(1, 'ada@acme.example', {
    viewport: { width: 1280, height: 800 },
  });
  await page.evaluate("localStorage['definition-view'] = '\"visual\"'");
  const { click, expectAtMost } = countClicks('report, metric, role and reader');
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  // Opening a list and choosing are a click each.
  const choose = async (label: string, option: string) => {
    const field = page.getByLabel(label, { exact: true });
    await click(field);
    await field.press('Escape');
    await field.selectOption(option);
    await click(field);
    await field.press('Escape');
  };
  await click(button('Upload a file'));
  const chooser = page.waitForEvent('filechooser');
  await click(button(/^CSV file, Excel workbook/));
  await (await chooser).setFiles(file);
  await click(button('Create dataset and report'));

  await click(button(/^Amount by region, Bars/));
  await click(button('Change type'));
  await click(page.getByRole('dialog').getByRole('button', { name: /^Columns/ }));
  await click(button('New metric'));
  await page.getByRole('textbox', { name: 'Name' }).press('Escape');
  await button('New metric').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Average amount');
  await choose('Function', 'Average');
  await choose('Field', 'Amount');
  await click(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
  await page
    .getByRole('region', { name: 'Preview' })
    .getByRole('region', { name: 'Amount and average amount by region' })
    .waitFor();
  await click(button('Save'));

  await click(page.getByRole('tab', { name: 'Rows' }));
  await click(button('New role'));
  await page.getByRole('textbox', { name: 'Name' }).fill('North only');
  await choose('Field', 'Region');
  await click(page.getByRole('combobox', { name: 'Values' }));
  await click(page.getByRole('option', { name: /^North/ }));
  await click(button('Save'));
  await click(button('New user'));
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nina@acme.example');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Nina');
  await click(button('Create user'));
  await click(page.getByRole('link', { name: 'View as Nina' }));
  expectAtMost(25);

  const opened = page.frameLocator('iframe').getByRole('main');
  const shown = north.toLocaleString('en-US', { maximumFractionDigits: 2 });
  await opened.getByRole('region', { name: 'Amount', exact: true }).getByText(shown).waitFor();
  await opened.getByRole('table').getByRole('row', { name: /North/ }).first().waitFor();
  expect(await opened.getByText(/South|East|West/).count()).toBe(0);
  expect(complaints).toEqual([]);
});

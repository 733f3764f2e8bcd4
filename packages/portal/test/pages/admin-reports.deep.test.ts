import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import {
  countClicks,
  heading,
  openedEditor,
  setUpAdminPages,
  type AdminPage,
} from '../support/admin-pages.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
let page: AdminPage;
let home: string;
let complaints: string[];

beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
  const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
  const datasetId = changes.find(({ kind }) => kind === 'dataset')!.id;
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
  ({ page, home, complaints } = await admin.open(1, 'ada@acme.example', {
    permissions: ['clipboard-read', 'clipboard-write'],
  }));
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const option = (name: string | RegExp) => page.getByRole('option', { name });

async function openHome(): Promise<void> {
  await page.goto(home);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Opens a tab of the report "Order overview" from the home: three clicks. */
async function openTab(name: string, click = (target: ReturnType<typeof link>) => target.click()) {
  await openHome();
  await click(link('Reports'));
  await click(link('Order overview'));
  await click(page.getByRole('tab', { name }));
}

describe('from the home of the organization', () => {
  it('the id of a report is copied in 3 clicks', async () => {
    const { click, expectAtMost } = countClicks('copy report id');
    await openHome();
    await click(link('Reports'));
    await click(link('Orders'));
    await click(button('Copy Report id'));
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(admin.portal.acme.reportId);
    expectAtMost(3);
  });

  it('a group gets access to a report in 5 clicks', async () => {
    const { click, expectAtMost } = countClicks('access of a group');
    await openTab('Access', click);
    await click(page.getByRole('combobox', { name: 'Give access to a user or group' }));
    await click(option('Leads'));
    await page.getByText('Leads can open this report.').waitFor();
    await page.getByText('Group with 1 member').waitFor();
    expectAtMost(5);
  });

  it('a role is linked to a user in 5 clicks', async () => {
    const { click, expectAtMost } = countClicks('link a role');
    await openTab('Rows', click);
    const picker = page.getByRole('combobox', { name: /Give the role East/ });
    await click(picker);
    await picker.fill('east@');
    await click(option(/^east/));
    await page.getByText('east has the role East.').waitFor();
    expectAtMost(5);
  });

  it('who opened a report is seen in 3 clicks', async () => {
    const { click, expectAtMost } = countClicks('who opened this report');
    await openTab('Usage', click);
    await page.getByText('Nobody has opened this report').waitFor();
    expectAtMost(3);
  });

  it('a file becomes a dataset and a report in 4 clicks', async () => {
    const { click, expectAtMost } = countClicks('import a report');
    await openHome();
    await click(link('Datasets'));
    await click(button('Upload a file'));
    const chooser = page.waitForEvent('filechooser');
    await click(page.getByLabel('CSV file, Excel workbook or Parquet file'));
    const file = {
      name: 'Sales 2024.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(ordersCsv.replaceAll('Chairs', 'Beds')),
    };
    await (await chooser).setFiles(file);
    await page.getByText('The file has 4 rows and 5 columns.').waitFor();
    await click(button('Create dataset and report'));
    await heading(page, 'Sales 2024').waitFor();
    expectAtMost(4);
    await page.getByRole('region', { name: 'Preview' }).getByText('70').first().waitFor();
  });
});

it('a preview without rows tells an administrator what to do, and links to it', async () => {
  await openTab('Definition');
  const { preview } = openedEditor(page);
  await page.getByRole('combobox', { name: 'Preview as another user' }).fill('none@');
  await option(/^none/).waitFor();
  await page.keyboard.press('Enter');
  await preview.getByText('none has no role in the dataset of this report').waitFor();
  expect(await preview.getByText('sk your administrator').count()).toBe(0);
  await preview.getByRole('link', { name: 'Give a role' }).click();
  await page.getByRole('combobox', { name: /Give the role East/ }).waitFor();
});

describe('the definition of a report', () => {
  const replaceText = (from: string, to: string) => openedEditor(page).replaceText(from, to);

  it('is drawn beside the editor with the rows of the chosen user', async () => {
    await openTab('Definition');
    await page.getByRole('combobox', { name: 'Preview as another user' }).fill('west@');
    await option(/^west/).click();
    await openedEditor(page).preview.getByText('$30').waitFor();
    expect(complaints).toEqual([]);
  });

  it('names each mistake with its place, and the preview keeps the last valid text', async () => {
    await replaceText('metric: Sales', 'metric: Sals');
    const mistakes = page.getByRole('status', { name: 'Mistakes' });
    await mistakes.getByText('did you mean "Sales"?').waitFor();
    await mistakes.getByText(/^Line \d+, column 21:$/).waitFor();
    await openedEditor(page).preview.getByText('$30').waitFor();
    await replaceText('metric: Sals', 'metric: Sales');
    await expect.poll(() => mistakes.textContent()).toBe('');
  });

  it('the editor of a definition completes keys and the names of the dataset', async () => {
    await openedEditor(page).editor.press('Control+End');
    await page.keyboard.insertText('          - type: kpi\n            metric: ');
    await openedEditor(page).editor.press('Control+Space');
    const completions = page.locator('.cm-tooltip-autocomplete');
    await expect.poll(() => completions.getByText('Sales').count()).toBe(1);
    await openedEditor(page).editor.press('Escape');
    await button('Discard changes').click();
  });

  it('an unsaved definition is still there after other tabs and pages, until it is discarded', async () => {
    const { editor } = openedEditor(page);
    const saved = await editor.textContent();
    await replaceText('dataset: orders', 'dataset: unsaved');
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByText('unknown dataset').waitFor();
    await link('Datasets').click();
    await heading(page, 'Datasets').waitFor();
    await page.goBack();
    await expect.poll(() => editor.textContent()).toContain('dataset: unsaved');
    const question = page.waitForEvent('dialog');
    const reload = page.reload();
    const dialog = await question;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reload;
    await expect.poll(() => editor.textContent()).toBe(saved);
  });

  it('a text that is typed during a save stays unsaved', async () => {
    const definition = openedEditor(page);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/definitions/**', async (route) => {
      if (route.request().method() === 'PUT') await answered;
      await route.continue();
    });
    await replaceText('name: Order overview', 'name: Sent');
    await definition.save();
    await replaceText('name: Sent', 'name: Typed later');
    answer();
    await heading(page, 'Sent').waitFor();
    await page.unrouteAll();
    await definition.save();
    await heading(page, 'Typed later').waitFor();
    expect(await definition.editor.textContent()).toContain('name: Typed later');
  });

  it('an earlier version of a definition is restored in the editor and saved', async () => {
    await button('Restore version 1 in the editor').click();
    await expect
      .poll(() => openedEditor(page).editor.textContent())
      .toContain('name: Order overview');
    await button('Save').click();
    await heading(page, 'Order overview').waitFor();
  });
});

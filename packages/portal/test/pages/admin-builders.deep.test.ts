import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import {
  expectAccessible,
  expectFits,
  openedEditor,
  setUpAdminPages,
  type AdminPage,
} from '../support/admin-pages.ts';
import { apply, ordersDataset, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';

const admin = setUpAdminPages();
let datasetId: string;
beforeAll(async () => {
  const { acme, datasetFolder } = admin.portal;
  writeFiles(path.join(datasetFolder, acme.id), {
    'orders.csv': ordersCsv,
    'areas.csv': 'Mail,Area\nwest@acme.example,East\neast@acme.example,West\n',
  });
  const { changes } = await apply(acme.ctx, datasetFolder, {
    files: {
      ...ordersFiles,
      'datasets/orders.yaml': `# Kept by the forms\n${ordersDataset}`,
      'datasets/areas.yaml': 'name: Areas\nsource: { file: areas.csv }\n',
    },
  });
  datasetId = changes.find(({ kind, slug }) => kind === 'dataset' && slug === 'orders')!.id;
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.west] });
});

const email = () => `${randomUUID()}@acme.example`;
const button = (page: AdminPage, name: string) => page.getByRole('button', { name, exact: true });

async function openTab(tab: string, options: Parameters<typeof admin.open>[2] = {}) {
  const opened = await admin.open(1, email(), options);
  await opened.page.goto(`${opened.home}/datasets/${datasetId}`);
  await opened.page.getByRole('tab', { name: tab, exact: true }).click();
  return opened;
}

/** The text of the dataset as it is saved. */
async function readText(): Promise<string> {
  const { content } = await admin.portal.db
    .selectFrom('datasets')
    .where('id', '=', datasetId)
    .select('content')
    .executeTakeFirstOrThrow();
  return content!;
}

const expectFocus = (locator: ReturnType<AdminPage['locator']>) =>
  expect.poll(() => locator.and(locator.page().locator(':focus')).count()).toBe(1);

const value = (page: AdminPage) => page.getByRole('region', { name: 'Value today' });

describe('the metrics of a dataset', () => {
  it('a metric is built by choosing, shows its value before it is saved, and is saved', async () => {
    const { page, complaints } = await openTab('Metrics');
    await page.getByRole('row', { name: /Sales \$70\.00 sum\(Sales\)/ }).waitFor();
    await button(page, 'New metric').click();
    const form = page.getByRole('form', { name: 'New metric' });
    await form.getByLabel('Function').selectOption('Sum');
    await value(page).getByText('Choose what is missing.').waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await form.getByLabel('Field', { exact: true }).selectOption('Sales');
    await value(page).getByText('70', { exact: true }).waitFor();
    await button(page, 'Add a condition').click();
    const filter = form.getByRole('group', { name: 'Condition 1' });
    await filter.getByLabel('Field').selectOption('Region');
    await filter.getByRole('combobox', { name: 'Values' }).fill('wes');
    await page.getByRole('option', { name: /^West/ }).click();
    await value(page).getByText('30', { exact: true }).waitFor();
    await form.getByLabel('Format').selectOption('Currency');
    await value(page).getByText('$30.00').waitFor();
    expect(await form.getByLabel('Expression').inputValue()).toBe(
      "sum(case when Region in ('West') then Sales end)",
    );
    // Nothing is saved before.
    expect(await readText()).not.toContain('case when');
    await form.getByLabel('Name').fill('Sales in the West');
    await expectAccessible(page);
    await expectFits(page);
    await button(page, 'Save').click();
    await page.getByRole('row', { name: /Sales in the West \$30\.00 sum/ }).waitFor();
    expect(await readText()).toBe(
      `# Kept by the forms\n${ordersDataset.replace(
        'roles:\n',
        `  - name: Sales in the West
    expression: sum(case when Region in ('West') then Sales end)
    format: { style: currency, currency: USD }
roles:
`,
      )}`,
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('an expression is typed, its mistake is said, and the choices follow', async () => {
    const { page } = await openTab('Metrics');
    await button(page, 'Edit Sales').click();
    const form = page.getByRole('form', { name: 'Edit metric' });
    const expression = form.getByLabel('Expression');
    await expression.fill('sum(Sals)');
    await page.getByText('did you mean "Sales"?').waitFor();
    await button(page, 'Save').click();
    await form.getByRole('alert').getByText('datasets/orders.yaml').waitFor();
    await expression.fill('avg(Sales)');
    await value(page).getByText('$17.50').waitFor();
    // The error of the refused text is gone.
    expect(await form.getByRole('alert').count()).toBe(0);
    expect(await form.getByLabel('Function').inputValue()).toBe('avg');
    await expression.fill('sum(Sales) / count() * 2');
    await form.getByText(/^This expression was typed/).waitFor();
    await value(page).getByText('$35.00').waitFor();
    await expression.fill('sum(Sales) / 0 * 2');
    await value(page).getByText('No value: no row has one').waitFor();
    await button(page, 'Replace with choices').click();
    expect(await expression.inputValue()).toBe('count()');
    await expectFocus(form.getByLabel('Function'));
    await form.getByLabel('Name').fill('Orders');
    await form.getByText(/^Reports find a metric by its name/).waitFor();
    await button(page, 'Cancel').click();
    await expectFocus(button(page, 'Edit Sales'));
    await page.getByRole('row', { name: /Sales \$70\.00 sum\(Sales\)/ }).waitFor();
    await page.close();
  });

  it('a metric is divided by another value by choosing, and by keyboard', async () => {
    const { page, complaints } = await openTab('Metrics');
    await button(page, 'New metric').click();
    const form = page.getByRole('form', { name: 'New metric' });
    await form.getByLabel('Function').selectOption('Sum');
    await form.getByLabel('Field', { exact: true }).selectOption('Sales');
    await value(page).getByText('70', { exact: true }).waitFor();
    await button(page, 'Divide by another value').press('Enter');
    const divisor = form.getByRole('group', { name: 'Divided by' });
    await value(page).getByText('Choose what is missing.').waitFor();
    await page.keyboard.press('ArrowDown');
    await value(page).getByText('17.50', { exact: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await divisor.getByLabel('Field', { exact: true }).selectOption('Sales');
    await divisor.getByRole('button', { name: 'Add a condition' }).click();
    const filter = divisor.getByRole('group', { name: 'Condition 1' });
    await expectFocus(filter.getByLabel('Field'));
    await filter.getByRole('button', { name: 'Remove this condition' }).press('Enter');
    await expectFocus(divisor.getByRole('button', { name: 'Add a condition' }));
    await page.keyboard.press('Enter');
    await filter.getByLabel('Field').selectOption('Region');
    await filter.getByRole('combobox', { name: 'Values' }).fill('wes');
    await page.getByRole('option', { name: /^West/ }).click();
    await value(page).getByText('2.33', { exact: true }).waitFor();
    expect(await form.getByLabel('Expression').inputValue()).toBe(
      "sum(Sales) / sum(case when Region in ('West') then Sales end)",
    );
    await expectAccessible(page);
    await expectFits(page);
    await button(page, 'Do not divide').press('Enter');
    await value(page).getByText('70', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expectFocus(divisor.getByLabel('Function'));
    await page.keyboard.press('ArrowDown');
    await value(page).getByText('17.50', { exact: true }).waitFor();
    await form.getByLabel('Name').fill('Sales per order');
    await button(page, 'Save').click();
    await page
      .getByRole('row', { name: /Sales per order 17\.50 sum\(Sales\) \/ count\(\)/ })
      .waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('a metric that a report shows is not deleted, and the place is named', async () => {
    const { page } = await openTab('Metrics');
    await button(page, 'Delete Sales').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog
      .getByText(/reports\/orders\.yaml/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await readText()).toContain('name: Sales\n');
    await page.close();
  });

  it('a text with a mistake of syntax is mended on the tab Definition first', async () => {
    const { page } = await openTab('Definition');
    await page.locator('.cm-line').first().waitFor();
    await openedEditor(page).replaceText('name: Orders', 'name: [');
    await page.getByRole('tab', { name: 'Metrics', exact: true }).click();
    await page.getByText('The form cannot show this definition').waitFor();
    await button(page, 'Discard changes').click();
    await button(page, 'New metric').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /^Sales \$70/ }).count()).toBe(1);
    await page.close();
  });
});

describe('the roles of a dataset', () => {
  const tryAs = async (page: AdminPage, name: string) => {
    await page.getByRole('combobox', { name: 'Try as a user' }).fill(`${name}@`);
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  };
  const row = (page: AdminPage, name: RegExp) =>
    page.getByRole('table', { name: 'Who would see what' }).getByRole('row', { name });

  it('a role is built by choosing, shows the rows of chosen users, and is active only when saved', async () => {
    const { page, complaints } = await openTab('Roles');
    await button(page, 'New role').click();
    const form = page.getByRole('form', { name: 'New role' });
    await form.getByLabel('Name').fill('Own rows');
    await form.getByText(/nothing is counted until then/).waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    const condition = form.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Field', { exact: true }).selectOption('Owner');
    await condition.getByLabel('Comparison').selectOption('is an attribute of the reader');
    await tryAs(page, 'west');
    await tryAs(page, 'none');
    await row(page, /^west Does not have this role 2 2/).waitFor();
    await row(page, /^none Does not have this role 0 0/).waitFor();
    await condition.getByLabel('Field', { exact: true }).selectOption('Region');
    await condition.getByLabel('Comparison').selectOption('is one of');
    await condition.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: /^East 2/ }).click();
    await page.keyboard.press('Escape');
    await button(page, 'Add a condition').click();
    const second = form.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Field', { exact: true }).selectOption('Sales');
    await second.getByLabel('Comparison').selectOption('is greater than, or after');
    await second.getByLabel('Value', { exact: true }).fill('20');
    await row(page, /^none Does not have this role 1 0/).waitFor();
    await form.getByText('The dataset has 4 rows.').waitFor();
    await expectAccessible(page);
    await expectFits(page);
    expect(await readText()).not.toContain('Own rows');
    await button(page, 'Save').click();
    await page.getByRole('row', { name: /Own rows .* 0 0/ }).waitFor();
    expect(await readText()).toContain(
      `  - name: Own rows
    rows: { and: [{ field: Region, in: [East] }, { field: Sales, after: 20 }] }
`,
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('a role looks up values in another dataset', async () => {
    const { page } = await openTab('Roles');
    await button(page, 'Edit West').click();
    const form = page.getByRole('form', { name: 'Edit role' });
    await tryAs(page, 'west');
    await tryAs(page, 'none');
    await row(page, /^west Has this role 2 2/).waitFor();
    await form.getByLabel('Comparison').selectOption('is in another dataset (look-up)');
    await form.getByLabel('Dataset with the allowed values').selectOption('areas');
    await form.getByLabel('Its field with the attribute of the reader').selectOption('Mail');
    await form.getByLabel('Its field with the allowed values').selectOption('Area');
    await row(page, /^none Does not have this role 0 0/).waitFor();
    await row(page, /^west Has this role 2 2/).waitFor();
    await form
      .getByText('{ field: Region, in: { lookup: areas, key: Mail, value: Area } }')
      .waitFor();
    await form
      .getByLabel('Comparison')
      .selectOption('several fields stand together in another dataset');
    await form.getByLabel('Field 1 of this dataset').selectOption('Region');
    await form.getByLabel('Field 1 of the other dataset').selectOption('Area');
    await row(page, /^none Does not have this role 0 0/).waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await button(page, 'Cancel').click();
    expect(await readText()).toContain('rows: { field: Region, in: [West] }');
    await page.close();
  });

  it('a role is built by keyboard alone', async () => {
    const { page } = await openTab('Roles');
    const newRole = button(page, 'New role');
    await newRole.focus();
    await page.keyboard.press('Enter');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.keyboard.type('By keyboard');
    // The kind, then the field.
    await press('Tab', 'Tab');
    await page.keyboard.type('Region');
    await press('Tab', 'Tab');
    await page.keyboard.type('East');
    await press('Enter');
    await page.getByText('{ field: Region, in: [East] }').waitFor();
    const isOnSave = () => page.evaluate("document.activeElement.textContent === 'Save'");
    for (let count = 0; count < 10 && !(await isOnSave()); count += 1) await press('Tab');
    await press('Enter');
    await page.getByRole('row', { name: /By keyboard/ }).waitFor();
    expect(await readText()).toContain('name: By keyboard');
    await page.close();
  });

  it('a role is deleted after a question', async () => {
    const { page } = await openTab('Roles');
    await button(page, 'Delete By keyboard').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await readText()).not.toContain('By keyboard');
    await page.close();
  });
});

it('the forms are in Portuguese', async () => {
  const { page } = await openTab('Métricas', { locale: 'pt-BR' });
  await button(page, 'Nova métrica').click();
  await page.getByRole('form', { name: 'Nova métrica' }).getByLabel('Função de cálculo').waitFor();
  await page.getByRole('tab', { name: 'Funções', exact: true }).click();
  await button(page, 'Nova função').click();
  await page.getByText('Quem a tem vê').waitFor();
  await expectFits(page);
  expect(await button(page, 'Save').count()).toBe(0);
  await page.close();
});

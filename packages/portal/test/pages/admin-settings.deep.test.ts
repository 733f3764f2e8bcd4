import { send } from 'test-support';
import { beforeAll, expect, it } from 'vitest';

import { linkUsers } from '../../src/access/role-links.ts';
import { countClicks, heading, setUpAdminPages, type AdminPage } from '../support/admin-pages.ts';

const admin = setUpAdminPages();
let page: AdminPage;
let home: string;

beforeAll(async () => {
  ({ page, home } = await admin.open(1, 'ada@acme.example', {
    permissions: ['clipboard-read', 'clipboard-write'],
  }));
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const readClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');

async function openHome(): Promise<void> {
  await page.goto(home);
  await heading(page, 'acme').waitFor();
}

it('the id of the organization is copied with at most 2 clicks', async () => {
  const { click, expectAtMost } = countClicks('copy organization id');
  await openHome();
  await click(button('Copy Organization id'));
  expectAtMost(2);
  expect(await readClipboard()).toBe(admin.portal.acme.id);
});

it('a key with chosen permissions is created and copied with at most 6 clicks', async () => {
  const { click, expectAtMost } = countClicks('key with a subset');
  await openHome();
  await click(link('API keys'));
  await click(button('Create a key'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Nightly import');
  await click(dialog.getByRole('checkbox', { name: 'users:read' }));
  await click(dialog.getByRole('checkbox', { name: 'identity:mint' }));
  await click(dialog.getByRole('button', { name: 'Create key' }));
  await click(button('Copy API key'));
  expectAtMost(6);
  const key = await readClipboard();
  expect((await admin.portal.api('GET', '/api/user', { key })).status).toBe(200);
  expect((await admin.portal.api('GET', '/api/groups', { key })).status).not.toBe(200);
});

it('a key is revoked with at most 4 clicks', async () => {
  const { click, expectAtMost } = countClicks('revoke a key');
  await openHome();
  await click(link('API keys'));
  await click(button('Revoke the key Nightly import'));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }));
  expectAtMost(4);
  await page.getByText('The key Nightly import is revoked.').waitFor();
  await page.getByRole('row', { name: /Nightly import.*Revoked/ }).waitFor();
});

it('an origin is added with at most 4 clicks', async () => {
  const { click, expectAtMost } = countClicks('add an origin');
  await openHome();
  await click(link('Embedding'));
  await click(page.getByLabel('Origin of an application'));
  await page.keyboard.type('https://app.acme.example');
  await click(button('Add origin'));
  expectAtMost(4);
  await button('Remove https://app.acme.example').waitFor();
});

it('the chart of refused requests leads to them, and names its first and last day', async () => {
  await admin.portal.api('POST', '/api/identity/url', {
    key: admin.portal.acme.apiKey,
    json: { userEmail: 'nobody@acme.example', baseUrl: admin.portal.acme.address },
  });
  await openHome();
  const chart = page.getByRole('figure').filter({ hasText: 'Refused requests by day' });
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
  await chart.getByText(today.format(new Date()), { exact: true }).waitFor();
  await chart.getByRole('link').click();
  await heading(page, 'Activity log').waitFor();
  expect(await page.getByRole('switch', { name: 'Refused only' }).isChecked()).toBe(true);
  await page
    .getByRole('row', { name: /Create a URL that opens the portal/ })
    .first()
    .waitFor();
});

it('the header shows the name of the account in full height, and leads home from the account', async () => {
  await openHome();
  const account = page.getByRole('link', { name: 'Account of ada@acme.example' });
  const label = account.getByText('ada@acme.example');
  const cut = await label.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  expect(cut).toBeLessThanOrEqual(0);
  await account.click();
  await heading(page, 'Account').waitFor();
  await link('acme').click();
  await heading(page, 'acme').waitFor();
});

it('an e-mail in the activity log does not break within a word at 1024 px', async () => {
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto(`${home}/activity-log`);
  const cell = page.getByRole('cell', { name: 'ada@acme.example' }).first();
  await cell.waitFor();
  const lines = await cell.evaluate((element) => {
    const document = element.ownerDocument;
    const found = new Map<number, string>();
    const texts = document.createTreeWalker(element, 4);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      [...(text.textContent ?? '')].forEach((letter, at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const { top } = range.getBoundingClientRect();
        found.set(top, (found.get(top) ?? '') + letter);
      });
    return [...found.values()];
  });
  expect(lines.join('')).toBe('ada@acme.example');
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.]$/);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('the activity log shows each result without scrolling sideways at 1024 px', async () => {
  const { acme } = admin.portal;
  const { apiKey: key, reportId } = acme;
  const json = { userEmail: acme.emails.outsider, organizationId: acme.id, reportId };
  expect((await admin.portal.api('POST', '/api/identity/url', { key, json })).status).toBe(403);
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto(`${home}/activity-log?refused=true`);
  const cell = page.getByText('Refused: report_not_accessible').first();
  await cell.waitFor();
  const { x, width } = (await cell.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(1024);
  const table = page.getByRole('table');
  const scrolls = (element: { scrollWidth: number; clientWidth: number }) =>
    element.scrollWidth > element.clientWidth;
  expect(await table.locator('xpath=ancestor::*[@tabindex="0"]').evaluate(scrolls)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('the activity log finds an operation by a part of its words, and its details say whom it concerned', async () => {
  const { ctx, datasetId, emails } = admin.portal.acme;
  await linkUsers(ctx, { datasetId, role: 'West', usersEmails: [emails.outsider] });
  await page.goto(`${home}/activity-log`);
  const operation = page.getByRole('combobox', { name: 'Operation' });
  // Without the click, the list would open and be searched in one task, as no person does.
  await operation.click();
  await operation.fill('users a role');
  await page.getByRole('option', { name: 'Give users a role', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/action=linkRlsUsers/);
  await page.getByText('Details').first().click();
  const details = page.getByRole('table').locator('details').first();
  await expect.poll(() => details.textContent()).toContain(emails.outsider);
});

it('a color that is not valid is not saved, and the page says how to write one', async () => {
  await page.goto(`${home}/settings/appearance`);
  const remarks = page.getByText('This color is hard to read');
  await page.getByLabel('Accent color').waitFor();
  const before = await remarks.allTextContents();
  await page.getByLabel('Accent color').fill('banana');
  await button('Save').click();
  await page.getByText('for example #0f6e56').waitFor();
  expect(await remarks.allTextContents()).toEqual(before);
});

it('a typed accent color is saved', async () => {
  await page.goto(`${home}/settings/appearance`);
  await page.getByLabel('Accent color').fill('#aa3300');
  await button('Save').click();
  await page.getByText('The settings are saved.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Accent color').inputValue()).toBe('#aa3300');
});

it('the previews have the surfaces of both modes, and an accent color that can be read on each', async () => {
  await page.goto(`${home}/settings/appearance`);
  await page.getByLabel('Accent color').fill('#767676');
  await page.getByRole('region', { name: 'Dark mode' }).waitFor();
  const readColors = (mode: 'light' | 'dark') =>
    page.evaluate<[string, number]>(`(() => {
      const styleOf = (part) =>
        getComputedStyle(document.querySelector('.look[data-tokens="${mode}"] ' + part));
      const [, lightness] = /oklch\\((\\S+)/.exec(styleOf('.look-link').color);
      return [styleOf('.look-tile').backgroundColor, Number(lightness)];
    })()`);
  const [light, dark] = [await readColors('light'), await readColors('dark')];
  expect([light[0], dark[0]]).toEqual(['rgb(255, 255, 255)', 'rgb(23, 28, 35)']);
  expect(light[1]).toBeCloseTo(0.48);
  expect(dark[1]).toBeCloseTo(0.76);
});

it('the look of reports is previewed, saved and shown to readers, and alike colors are refused', async () => {
  await page.goto(`${home}/settings/appearance`);
  await page.getByLabel('Corners').selectOption('large');
  await page.getByLabel('Font').selectOption('inter');
  await page.getByLabel('Colors of series').fill('#1a7f37 #b0582f #7d7300');
  await page.getByText('tell #b0582f – #7d7300 apart').waitFor();
  await page.getByLabel('Colors of series').fill('#4477aa #ee6677 #228833');
  const [radius, font] = await page.evaluate<[string, string]>(`(() => {
    const sample = [...document.querySelectorAll('p')]
      .find(({ textContent }) => textContent === 'Sales by region');
    const { borderRadius, fontFamily } = getComputedStyle(sample.parentElement);
    return [borderRadius, fontFamily];
  })()`);
  expect([radius, font]).toEqual(['14px', expect.stringMatching(/^Inter/)]);
  await button('Save').click();
  await page.getByText('The settings are saved.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Corners').inputValue()).toBe('large');
  const { body } = await send(`${admin.portal.acme.address}/embed`, {
    headers: { accept: 'text/html' },
  });
  expect(body).toContain('--font:Inter,system-ui,sans-serif;--radius:14px;--series-1:');
});

it('an operator sees whose pages are open, and gets back to all organizations', async () => {
  const { page: own } = await admin.open('operator', 'operator@portal.example');
  await own.getByRole('banner').getByText('acme').waitFor();
  await own.getByRole('link', { name: 'Organizations' }).click();
  await own.getByRole('link', { name: 'globex' }).click();
  await own.getByRole('banner').getByText('globex').waitFor();
  expect(own.url()).toBe(`${admin.portal.adminUrl}/admin/organizations/${admin.portal.globex.id}`);
  await own.close();
});

/**
 * Takes the pictures of the administration guide: `npm start` in an empty `PORTAL_DATA_DIR`, then
 * `node packages/tooling/admin-pictures.mjs LINK` with the password link that it prints.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import { launchHeadless } from 'test-support';

const [link] = process.argv.slice(2);
if (!link) throw new Error('Pass the password link that npm start prints.');
const folder = fileURLToPath(new URL('../docs/images/admin/', import.meta.url));
/** Where `npm start` serves the example application. */
const host = 'http://acme.localhost:3000';
const maxBytes = 100_000;
const desktop = { width: 1280, height: 800 };

/** @type {Awaited<ReturnType<typeof launchHeadless>>} */
const browser = await launchHeadless();
const first = await browser.newPage({ viewport: desktop });
await first.goto(link);
await first.getByLabel(/^New password/).fill('a long sentence for pictures');
await first.keyboard.press('Enter');
await first.getByRole('heading', { level: 1, name: 'Acme' }).waitFor();
const home = first.url();

// The overview then has numbers.
for (const name of ['west', 'east', 'all', 'west']) {
  const reader = await browser.newPage();
  await reader.goto(host);
  await reader.evaluate(
    (email) => fetch('/login', { method: 'POST', body: new URLSearchParams({ email }) }),
    `${name}@acme.example`,
  );
  await reader.reload();
  const frame = reader.frameLocator('iframe');
  await frame.getByText('Total sales').first().waitFor();
  await reader.close();
}
const storageState = await first.context().storageState();

/** Opens a page as the administrator who has signed in. */
async function open(path, options = {}) {
  const page = await browser.newPage({
    viewport: desktop,
    locale: 'en-US',
    storageState,
    ...options,
  });
  await page.goto(home + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  return page;
}

/** Writes the picture of a page. */
async function save(page, name) {
  const picture = await page.screenshot();
  if (picture.length > maxBytes)
    throw new Error(`${name}.png has ${picture.length} bytes, more than ${maxBytes}.`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${folder}${name}.png`, picture);
  await page.close();
}

await save(await open(''), 'overview');

const report = await open('/reports', { viewport: { width: 1120, height: 640 } });
await report.getByRole('main').getByRole('link').first().click();
await report.getByRole('tab', { name: 'Definition' }).click();
await report.locator('.preview').waitFor();
// This page of the report begins with a chart.
await report.locator('.preview').getByRole('tab', { name: 'Airports' }).click();
await report.locator('.preview svg.plot').first().waitFor();
await report.locator('.canvas-tile').first().click();
await save(report, 'definition');

await save(await open('/users', { colorScheme: 'dark' }), 'users-dark');
await save(
  await open('/reports', { locale: 'pt-BR', viewport: { width: 390, height: 760 } }),
  'phone',
);
await browser.close();

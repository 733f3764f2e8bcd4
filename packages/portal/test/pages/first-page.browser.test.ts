import { launchHeadless, send } from 'test-support';
import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { loadBuiltAssets } from '../support/built-assets.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
buildFirst();
beforeAll(async () => {
  const assets = await loadBuiltAssets();
  [portal, browser] = await Promise.all([startTestPortal({ assets }), launchHeadless()]);
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

const mintReport = (userEmail = portal.acme.emails.both) =>
  mint(portal, portal.acme, { userEmail, reportId: portal.acme.reportId });

it('a report shows its numbers in the place where they stay, before its script has loaded', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'pt-BR' });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/viewer-[\w-]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(await mintReport(), { waitUntil: 'commit' });
  const number = page.getByText('US$ 70', { exact: true });
  await number.waitFor();
  const placeOf = async () => [await number.boundingBox(), await page.locator('h1').textContent()];
  const before = await placeOf();
  expect(await page.locator('svg.plot').count()).toBe(0);
  release();
  await page.locator('svg.plot').nth(1).waitFor();
  expect(await placeOf()).toEqual(before);
  expect(await page.locator('#first-page').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

it('the script draws the page after the browser has painted the numbers of the service', async () => {
  const page = await browser.newPage();
  await page.addInitScript(`
    const request = requestAnimationFrame;
    const held = [];
    window.requestAnimationFrame = (paint) => held.push(paint);
    window.release = () => held.splice(0).forEach((paint) => request(paint));
  `);
  await page.goto(await mintReport(), { waitUntil: 'networkidle' });
  expect(await page.locator('#first-page').count()).toBe(1);
  await page.evaluate('release()');
  await page.locator('#viewer .kpi-value').first().waitFor();
  expect(await page.locator('#first-page').count()).toBe(0);
  await page.close();
});

it.each([
  ['a document', 'document', true],
  ['a frame', 'iframe', false],
])('the page of %s is drawn by the service: %s', async (_, destination, isDrawn) => {
  const { body } = await send(await mintReport(portal.acme.emails.west), {
    headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': destination },
  });
  expect(body.includes('<div id="first-page" inert>')).toBe(isDrawn);
  // The rows of the reader's roles.
  expect(body.includes('$30')).toBe(isDrawn);
});

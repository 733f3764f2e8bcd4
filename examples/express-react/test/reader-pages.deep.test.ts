import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchHeadless, send } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startDemo, type Demo } from './demo.ts';

/** Written with `UPDATE_PICTURES=1`. */
const pictures = fileURLToPath(new URL('../../../packages/docs/images/reader/', import.meta.url));

let demo: Demo;
let browser: Browser;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchHeadless()]);
});
afterAll(async () => {
  await browser?.close();
  await demo?.interrupt();
  demo?.remove();
});

type What = 'sales' | 'flights' | 'home';

async function open(what: What, width: number, options: BrowserContextOptions = {}) {
  const { env } = demo;
  const ids = { sales: env.SALES_REPORT_ID, flights: env.FLIGHTS_REPORT_ID };
  const report =
    what === 'home' ? {} : { organizationId: env.ACME_ORGANIZATION_ID, reportId: ids[what] };
  const answer = await send(`${env.REPORTS_URL}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': env.ACME_API_KEY },
    json: {
      baseUrl: env.ACME_BASE_URL,
      userEmail: 'all@acme.example',
      embed: false,
      ...report,
    },
  });
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    locale: 'en-US',
    ...options,
  });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto((answer.json() as { embedUrl: string }).embedUrl);
  const settle = async () => {
    await page
      .locator(what === 'home' ? 'main .card' : '.tile')
      .first()
      .waitFor();
    await expect
      .poll(() => page.locator('.drawing-awaited, .skeleton, [aria-busy=true]').count())
      .toBe(0);
  };
  await settle();
  return { page, complaints, settle };
}

/** What leaves the page sideways or is cut without a sign. Evaluated in the browser. */
const findOverflow = `(() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  for (const element of document.querySelectorAll('.tile, .card, .kpi-value, .tile-title, .chip')) {
    const { left, right } = element.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1 || element.scrollWidth > element.clientWidth + 1)
      found.push(element.className + ': ' + element.textContent.slice(0, 60));
  }
  return found;
})()`;

const looks: [string, BrowserContextOptions][] = [
  ['light colors', {}],
  ['dark colors', { colorScheme: 'dark' }],
  ['forced colors', { forcedColors: 'active' }],
  ['right to left', { locale: 'ar-XB' }],
  ['German', { locale: 'de' }],
  ['Spanish', { locale: 'es' }],
  ['Portuguese', { locale: 'pt' }],
];
const widths = [320, 390, 768, 1024, 1440, 1920, 2560];
const cases = widths.flatMap((width) =>
  looks.map(([name, options]) => [width, name, options] as const),
);

it.each(cases)(
  'every page of the demo fits %d pixels in %s, without a complaint of the browser',
  async (width, _name, options) => {
    for (const what of ['sales', 'flights', 'home'] as const) {
      const { page, complaints, settle } = await open(what, width, options);
      const tabs = page.getByRole('tab');
      const count = Math.max(1, await tabs.count());
      for (let index = 0; index < count; index += 1) {
        if (index > 0) {
          await tabs.nth(index).click();
          await settle();
        }
        expect([what, index, await page.evaluate(findOverflow)]).toEqual([what, index, []]);
      }
      expect(complaints).toEqual([]);
      await page.close();
    }
  },
);

it.runIf(process.env['UPDATE_PICTURES'])('the pictures of the guides are small', async () => {
  const taken: [string, number, number, BrowserContextOptions][] = [
    ['desktop', 1280, 960, {}],
    ['phone', 390, 844, {}],
    ['dark', 1280, 960, { colorScheme: 'dark' }],
    ['right-to-left', 1280, 960, { locale: 'ar-XB' }],
  ];
  for (const [name, width, height, options] of taken) {
    const { page } = await open('sales', width, { ...options, viewport: { width, height } });
    await page.screenshot({ path: `${pictures}${name}.png` });
    await page.close();
  }
  const { page } = await open('sales', 800);
  await page.evaluate('window.print = () => { document.body.dataset.printed = "" }');
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 800, height: 1130 });
  await page.screenshot({ path: `${pictures}print.png` });
  await page.close();
  const sizes = fs.readdirSync(pictures).map((name) => fs.statSync(pictures + name).size);
  expect(sizes).toHaveLength(5);
  expect(Math.max(...sizes)).toBeLessThan(150_000);
});

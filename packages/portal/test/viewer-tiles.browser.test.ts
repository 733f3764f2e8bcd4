import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import express from 'express';
import { launchHeadless } from 'testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadAssets } from '../src/pages/assets.ts';
import { viewerBody, viewerHead } from '../src/pages/documents.ts';
import { pagePolicy } from '../src/pages/policy.ts';
import { galleryView } from '../web/viewer/test/gallery.ts';
import { reportSession } from '../web/viewer/test/samples.ts';

const assets = loadAssets(fileURLToPath(new URL('../dist/web', import.meta.url)));
const appearance = { organizationName: 'Acme', accentColor: undefined, embedOrigins: ['*'] };
let browser: Awaited<ReturnType<typeof launchHeadless>>;

const app = express();
/** The charts' script waits for this. */
let charts = Promise.resolve();
app.use('/assets', async (req, _, next) => {
  if (req.path.includes('draw-chart')) await charts;
  next();
});
app.use('/assets', express.static(assets.folder));
app.get('/report', (_, res) => {
  const session = { ...reportSession, view: galleryView };
  res
    .set('Content-Security-Policy', pagePolicy(assets, appearance))
    .type('html')
    .send(viewerHead(assets, appearance, 'Superstore sales') + viewerBody(session));
});
const server = createServer(app);
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`;

beforeAll(async () => {
  browser = await launchHeadless();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Opens the gallery of tiles, and collects what the browser complains about. */
async function openGallery(width: number, options: { forcedColors?: 'active' } = {}) {
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    locale: 'en-US',
    ...options,
  });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url());
  return { page, complaints };
}

const drawn = 17;

describe.each([320, 480, 800, 1280, 2560])('tiles in a page of %d pixels', (width) => {
  it('fit the page, none of their numbers and labels is cut, and the policy allows all of it', async () => {
    const { page, complaints } = await openGallery(width);
    await expect.poll(() => page.locator('svg.plot').count()).toBe(drawn);
    const problems = await page.evaluate(`(() => {
      const found = [];
      const note = (what, element) => found.push(what + ': ' + element.textContent.slice(0, 60));
      if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
      for (const tile of document.querySelectorAll('.tile')) {
        const { left, right } = tile.getBoundingClientRect();
        if (left < 0 || right > innerWidth + 0.5) note('tile', tile);
      }
      for (const value of document.querySelectorAll('.kpi-value, .kpi-comparison, .donut-entry'))
        if (value.scrollWidth > value.clientWidth) note('value', value);
      for (const svg of document.querySelectorAll('svg.plot')) {
        const frame = svg.getBoundingClientRect();
        for (const text of svg.querySelectorAll('text')) {
          const box = text.getBoundingClientRect();
          if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
            note('label', text);
        }
        const labels = (axis) => [...svg.querySelectorAll('[aria-label="' + axis + '-axis tick label"] text')]
          .map((text) => text.getBoundingClientRect());
        const rows = labels('x');
        for (const [index, box] of rows.entries())
          if (index > 0 && rows[index - 1].right > box.left + 1 && rows[index - 1].top === box.top &&
            !svg.querySelector('[transform*="rotate(-45"]')) found.push('labels overlap');
      }
      return found;
    })()`);
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it('numbers and tables are drawn before the code of charts has loaded', async () => {
  let load!: () => void;
  charts = new Promise((resolve) => (load = resolve));
  const { page } = await openGallery(1280);
  await page.getByText('$725,458').first().waitFor();
  await page.getByRole('table', { name: 'Customers' }).waitFor();
  expect(await page.locator('svg.plot').count()).toBe(0);
  load();
  await expect.poll(() => page.locator('svg.plot').count()).toBe(drawn);
  await page.close();
});

it('"Why these rows?" takes the focus, and Escape gives it back', async () => {
  const { page } = await openGallery(320);
  const button = page.getByRole('button', { name: 'Why these rows?' });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Why these rows?' });
  await dialog.waitFor();
  const box = (await dialog.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(320);
  expect(await dialog.locator(':focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.close();
});

it('in forced colors, series keep their colors and the selected tab is told apart', async () => {
  const { page } = await openGallery(1280, { forcedColors: 'active' });
  const colorOf = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (element, name) =>
          (
            globalThis as unknown as {
              getComputedStyle: (of: unknown) => { getPropertyValue: (name: string) => string };
            }
          )
            .getComputedStyle(element)
            .getPropertyValue(name),
        property,
      );
  await page.locator('.legend-entry rect').first().waitFor();
  const swatches = page.locator('.legend').first().locator('rect');
  const fills = await swatches.evaluateAll((rects) =>
    rects.map((rect) => rect.getAttribute('fill')),
  );
  expect(new Set(fills).size).toBe(3);
  expect(await colorOf('.tab[aria-selected="true"]', 'border-bottom-color')).not.toBe(
    await colorOf('.tab[aria-selected="false"]', 'border-bottom-color'),
  );
  await page.close();
});

it('the tooltip of a chart names the place, and each series with its unit', async () => {
  const { page } = await openGallery(1280);
  const figure = page.getByRole('figure', { name: 'Sales by category over time' });
  const svg = figure.locator('svg.plot');
  await svg.scrollIntoViewIfNeeded();
  const box = (await svg.boundingBox())!;
  const lines = async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
    return (await svg.locator('[aria-label="tip"] tspan').allTextContents()).map((line) =>
      line.replaceAll('\u200b', ''),
    );
  };
  await expect
    .poll(lines)
    .toEqual([
      expect.stringMatching(/^[A-Z][a-z]{2} 201[67]$/),
      expect.stringMatching(/^Technology: \$[\d,]+$/),
      expect.stringMatching(/^Furniture: \$[\d,]+$/),
      expect.stringMatching(/^Office Supplies: \$[\d,]+$/),
    ]);
  await page.close();
});

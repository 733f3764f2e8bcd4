import { chooseCases } from 'test-support/repetitions';
import { describe, expect, it } from 'vitest';

import { layoutWidths, setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();

it.each(chooseCases(1, ['ar-XB', 'de', 'en-US']))(
  'a home in %s fits with 500 reports at seven widths',
  async (locale) => {
    const { page, complaints } = await gallery.open({ width: layoutWidths[0]!, locale }, '/home');
    await page.locator('main .card').first().waitFor();
    for (const width of layoutWidths) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect([width, await page.evaluate(overflow)]).toEqual([width, 0]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  },
);

it('one of 500 reports is found, marked and opened with the keyboard alone', async () => {
  const { page } = await gallery.open({ width: 1440 }, '/home');
  const main = page.getByRole('main');
  await main.getByRole('searchbox', { name: 'Search reports' }).focus();
  await page.keyboard.type('report 123');
  const card = main.getByRole('button', { name: /^Report 123/ });
  await expect.poll(() => main.locator('.card').count()).toBe(1);
  // The folder of the report, and then its card.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await card.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  const star = main.getByRole('button', { name: 'Favorite: Report 123' });
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await main.getByRole('heading', { level: 1 }).waitFor();
  await page.close();
});

it('a folder opens and closes with the keyboard', async () => {
  const { page } = await gallery.open({ width: 1440 }, '/home');
  const folder = page.locator('main details').first();
  await folder.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => folder.locator('.card').first().isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => folder.locator('.card').first().isVisible()).toBe(false);
  await page.close();
});

describe('a browser that runs no scripts', () => {
  it.each(['/report', '/shell'])('shows on %s only that JavaScript is required', async (path) => {
    const { page } = await gallery.open({ width: 800, javaScriptEnabled: false }, path);
    expect(await page.getByRole('heading').allTextContents()).toEqual(['JavaScript is required']);
    await page.close();
  });
});

describe('the link to the application', () => {
  it.each(['/notice', '/shell'])('is on %s, but not in a frame', async (path) => {
    const { page } = await gallery.open({ width: 800 }, path);
    const link = page.getByRole('link', { name: 'Back to the application' });
    expect(await link.isVisible()).toBe(true);
    await page.close();
    const framed = await gallery.open({ width: 800 }, `/framed${path}`);
    const inside = framed.page.frameLocator('iframe');
    await inside.locator('html[data-framed]').waitFor();
    expect(await inside.getByRole('link').count()).toBe(0);
    await framed.page.close();
  });
});

import { chooseCases } from 'test-support/repetitions';
import { describe, expect, it } from 'vitest';

import { findCutParts, galleryDrawings, layoutWidths, setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();
const openGallery = (width: number, options = {}) => gallery.open({ width, ...options });

/** Evaluated in the browser: pixels between the last tile of each row and the end of the page. */
const findUnused = `[...document.querySelectorAll('.tiles')].map((row) => {
  const ends = [...row.children].map((tile) => tile.getBoundingClientRect().right);
  return Math.round(document.querySelector('main').getBoundingClientRect().right - Math.max(...ends));
})`;

it.each(chooseCases(1, ['de', 'ar-XB', 'en-US']))(
  'tiles in %s fit and fill the page at seven widths, none of their numbers and labels is cut, and the policy allows all of it',
  async (locale) => {
    const { page, complaints } = await openGallery(layoutWidths[0]!, { locale });
    await expect.poll(() => page.locator('svg.plot').count()).toBe(galleryDrawings);
    for (const width of layoutWidths) {
      await page.setViewportSize({ width, height: 800 });
      // Charts are drawn again a moment later.
      await expect
        .poll(async () => [width, await page.evaluate(findCutParts)])
        .toEqual([width, []]);
      if (locale === 'ar-XB') continue;
      const unused = await page.evaluate<number[]>(findUnused);
      expect([width, ...new Set(unused)]).toEqual([width, width > 720 ? 24 : 16]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  },
);

it('numbers and tables are drawn before the code of charts has loaded', async () => {
  let load!: () => void;
  gallery.stage.charts = new Promise((resolve) => (load = resolve));
  const { page } = await openGallery(1280);
  await page.getByText('$725,458').first().waitFor();
  await page.getByRole('table', { name: 'Customers' }).waitFor();
  expect(await page.locator('svg.plot').count()).toBe(0);
  load();
  await expect.poll(() => page.locator('svg.plot').count()).toBe(galleryDrawings);
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
    return (await page.getByRole('tooltip').allInnerTexts()).flatMap((text) => text.split('\n'));
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

describe.each([320, 1440])('with a large font in a browser of %d pixels', (width) => {
  it('texts and charts have the size of a large font, and nothing is cut', async () => {
    const { page } = await openGallery(width);
    await page.evaluate("document.documentElement.style.fontSize = '24px'");
    // Charts are drawn again for another width.
    await page.setViewportSize({ width: width - 1, height: 800 });
    const label = page.locator('svg.plot text').first();
    await expect
      .poll(async () => Math.round((await label.boundingBox())?.height ?? 0))
      .toBeGreaterThanOrEqual(19);
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe('21px');
    expect(await page.evaluate(findCutParts)).toEqual([]);
    await page.close();
  });
});

it('placeholders can be told from the page, in light and dark', async () => {
  let answer!: () => void;
  gallery.stage.data = new Promise((resolve) => (answer = resolve));
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await gallery.open({ width: 1440, colorScheme }, '/report?empty');
    await page.locator('.skeleton').first().waitFor();
    const contrast = await page.evaluate<number>(`(() => {
      const luminance = (color) => {
        const [r, g, b] = color.match(/[\\d.]+/g).map((part) => {
          const value = part / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [one, other] = ['.skeleton', 'body'].map((selector) =>
        luminance(getComputedStyle(document.querySelector(selector)).backgroundColor) + 0.05);
      return Math.max(one, other) / Math.min(one, other);
    })()`);
    expect(contrast).toBeGreaterThan(1.25);
    await page.close();
  }
  answer();
});

it('a refresh changes nothing that is seen for 200 ms', async () => {
  const { page } = await openGallery(1440);
  await page.getByText('$725,458').first().waitFor();
  let answer!: () => void;
  gallery.stage.data = new Promise((resolve) => (answer = resolve));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.locator('.report-content[data-stale=true]').waitFor();
  const opacities = await page.evaluate(`(() => {
    const row = document.querySelector('.tiles');
    const [fade] = row.getAnimations();
    fade.pause();
    return [0, 199, 300].map((time) => {
      fade.currentTime = time;
      return getComputedStyle(row).opacity;
    });
  })()`);
  expect(opacities).toEqual(['1', '1', '0.88']);
  answer();
  await page.locator('.report-content[data-stale=false]').waitFor();
  await page.close();
});

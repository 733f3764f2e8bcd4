import { expect, it } from 'vitest';

import { galleryDrawings, setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();

/** Sizes of SVG elements that browsers refuse. Evaluated in the browser. */
const findNegative = `[...document.querySelectorAll('svg, svg *')].flatMap((element) =>
  ['width', 'height', 'r', 'rx'].filter((name) => Number(element.getAttribute(name)) < 0)
    .map((name) => element.outerHTML.slice(0, 120)))`;

it.each([
  ['widths', [...Array.from({ length: 16 }, (_, index) => 50 + 10 * index), 240, 320], [600]],
  ['heights', [50, 320, 1280], [50, 100, 200, 400]],
] as const)(
  'every kind of tile is drawn at all %s from 50 pixels without an error',
  async (_, widths, heights) => {
    const { page, complaints } = await gallery.open({ width: 1280 });
    await expect.poll(() => page.locator('svg.plot').count()).toBe(galleryDrawings);
    for (const width of widths)
      for (const height of heights) {
        await page.setViewportSize({ width, height });
        // A drawing has the width of its place when it has been drawn again.
        const findUnfitted = `[...document.querySelectorAll('svg.plot')]
          .map((svg) => [Number(svg.getAttribute('width')), svg.parentElement.clientWidth || 1])
          .filter(([drawn, place]) => drawn !== place)`;
        await expect.poll(() => page.evaluate(findUnfitted)).toEqual([]);
        expect([width, height, await page.evaluate(findNegative)]).toEqual([width, height, []]);
      }
    expect(complaints).toEqual([]);
    await page.close();
  },
);

it('a report that opens in a frame of 120 pixels logs no error', async () => {
  const { page, complaints } = await gallery.open({ width: 120 });
  await expect.poll(() => page.locator('svg.plot').count()).toBe(galleryDrawings);
  expect(complaints).toEqual([]);
  await page.close();
});

it.each(['en-US', 'ar-XB'])(
  'the group headings of a pivot in %s are centered over their columns, with a rule between groups',
  async (locale) => {
    const { page } = await gallery.open({ width: 1440, locale });
    await page.locator('.pivot').first().waitFor();
    const { offsets, ruled } = await page.evaluate<{ offsets: number[]; ruled: string[] }>(`(() => {
      const centerOf = ({ left, right }) => (left + right) / 2;
      const textOf = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect();
      };
      const pivot = document.querySelector('.pivot');
      const heads = [...pivot.querySelectorAll('[data-group=true]')];
      const rules = (row) => [...row.querySelectorAll('.number')]
        .map((cell) => Number.parseFloat(getComputedStyle(cell).borderInlineStartWidth) > 0 ? 1 : 0)
        .join('');
      return {
        offsets: heads.filter((head) => head.textContent !== '').map((head) =>
          Math.abs(centerOf(textOf(head)) - centerOf(head.getBoundingClientRect()))),
        ruled: [...pivot.querySelectorAll('tr')].map(rules),
      };
    })()`);
    expect(offsets).toHaveLength(9);
    expect(Math.max(...offsets)).toBeLessThan(1);
    const leaves = '00101010101010';
    // The headings of years, categories and metrics, four rows, two subtotals, and the total.
    expect(ruled).toEqual(['011', '011111', ...Array(8).fill(leaves)]);
    await page.close();
  },
);

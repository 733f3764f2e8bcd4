import { expect, it } from 'vitest';

import { layoutWidths, setUpGallery } from '../support/gallery.ts';

const gallery = setUpGallery();

it.each(layoutWidths)(
  'the numbers of a row have one size and are not cut at %d pixels',
  async (width) => {
    const { page } = await gallery.open({ width });
    await page.locator('svg.plot').first().waitFor();
    const [sizes, cut] = await page.evaluate<[string[], string[]]>(`(() => {
      const numbers = [...document.querySelectorAll('.tiles > .tile-kpi .kpi-value')];
      const rowOf = (number) => number.closest('.tiles');
      const sizes = numbers.filter((number) => rowOf(number) === rowOf(numbers[0]))
        .map((number) => getComputedStyle(number).fontSize);
      const cut = numbers.filter((number) => number.scrollWidth > number.parentElement.clientWidth + 1)
        .map((number) => number.textContent);
      return [sizes, cut];
    })()`);
    expect(sizes.length).toBeGreaterThan(3);
    expect(new Set(sizes).size).toBe(1);
    expect(cut).toEqual([]);
    await page.close();
  },
);

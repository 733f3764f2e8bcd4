import type { ChartTile } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { drawTile } from '../test/draw-tile.ts';
import { barsOf } from '../test/read-svg.ts';
import { byCategory, byHour, byMonth } from '../test/samples.ts';

const draw = (tile: ChartTile, width: number) => drawTile(tile, width);

const textsOf = (svg: Element) => [...svg.querySelectorAll('text')].map((text) => text.textContent);

describe('a drawn chart', () => {
  it.each([byMonth, byCategory, byHour])('the chart $title has no style element', (tile) => {
    const svg = draw(tile, 480);
    expect(svg.querySelector('style')).toBeNull();
    expect(svg.outerHTML).not.toMatch(/<style/);
  });

  it.each([byMonth, byCategory, byHour])('the chart $title has the given width', (tile) => {
    expect(draw(tile, 333)).toHaveAttribute('width', '333');
  });

  it.each([byMonth, byCategory, byHour])(
    'the chart $title without points has no NaN, undefined or Infinity',
    (tile) => {
      const svg = draw({ ...tile, groups: [] }, 480);
      expect(svg.outerHTML).not.toMatch(/NaN|undefined|Infinity/);
    },
  );

  it('a chart keeps the order of categories, blanks included, and labels each bar with its value', () => {
    const svg = draw(byCategory, 480);
    expect(textsOf(svg)).toEqual([
      'Technology',
      'Furniture',
      '(blank)',
      '$251,992',
      '$252,613',
      '$12',
    ]);
    expect(svg.querySelectorAll('rect, path[d*="h"]').length).toBeGreaterThanOrEqual(3);
  });

  it('a line has a gap at a missing value', () => {
    const groups = [1, 2, null, 4, 5].map((value, index) => ({
      keys: [`2017-0${index + 1}-01`],
      values: [value],
    }));
    const svg = draw({ ...byMonth, groups }, 480);
    const line = svg.querySelector('[aria-label="line"] path')?.getAttribute('d');
    expect(line?.match(/M/g)).toHaveLength(2);
  });

  it('each of two facets is lower than a single chart', () => {
    const facet = { role: 'facet', dimension: { name: 'Region', kind: 'category' } } as const;
    const groups = ['West', 'East'].map((name) => ({ keys: ['2017-01-01', name], values: [1] }));
    const dimensions = [...byMonth.dimensions, facet];
    const [one, two] = [groups.slice(0, 1), groups].map((shown) =>
      Number(draw({ ...byMonth, dimensions, groups: shown }, 480).getAttribute('height')),
    );
    expect(two).toBeLessThan(one!);
  });

  it('the tint below a single line ends at zero', () => {
    const groups = [1, 2, 4].map((value, index) => ({
      keys: [`2017-0${index + 1}-01`],
      values: [value],
    }));
    const svg = draw({ ...byMonth, groups }, 480);
    const area = svg.querySelector('[aria-label="area"] path')?.getAttribute('d');
    const heights = [...area!.matchAll(/,([\d.]+)/g)].map(([, height]) => Number(height));
    const zero = Number(svg.querySelector('[aria-label="rule"] line')?.getAttribute('y1'));
    expect(heights).toHaveLength(6);
    // Plot moves rules by half a pixel.
    for (const height of heights.slice(3)) expect(Math.abs(height - zero)).toBeLessThan(1);
  });

  it('every second column has a label if the columns are narrower than their labels', () => {
    const groups = Array.from({ length: 24 }, (_, hour) => ({ keys: [hour], values: [1] }));
    const namesAt = (width: number) => {
      const svg = draw({ ...byHour, groups }, width);
      return textsOf(svg.querySelector('[aria-label="x-axis tick label"]')!);
    };
    const all = groups.map(({ keys }) => String(keys[0]));
    expect(namesAt(960)).toEqual(all);
    expect(namesAt(480)).toEqual(all.filter((_, index) => index % 2 === 0));
  });

  it('a blank is omitted from a line of numbers and drawn as a column', () => {
    expect(barsOf(draw(byHour, 480)).children).toHaveLength(3);
    const line = draw({ ...byHour, type: 'line' }, 480).querySelector('[aria-label="line"] path');
    expect(line?.getAttribute('d')).not.toMatch(/L.*L/);
  });
});

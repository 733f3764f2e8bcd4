import type { SeriesTile } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { byCategory, byHour, byMonth } from '../test/samples.ts';
import { drawSeries } from './draw-series.ts';
import { createFormats } from './format.ts';

const draw = (tile: SeriesTile, width: number) => drawSeries(tile, width, createFormats('en-US'));

const textsOf = (svg: Element) => [...svg.querySelectorAll('text')].map((text) => text.textContent);

describe('a drawn chart', () => {
  it.each([byMonth, byCategory, byHour])('has no style element: $title', (tile) => {
    const svg = draw(tile, 480);
    expect(svg.querySelector('style')).toBeNull();
    expect(svg.outerHTML).not.toMatch(/<style/);
  });

  it.each([byMonth, byCategory, byHour])('has the given width: $title', (tile) => {
    expect(draw(tile, 333)).toHaveAttribute('width', '333');
  });

  it.each([byMonth, byCategory, byHour])(
    'without points has no NaN, undefined or Infinity: $title',
    (tile) => {
      const svg = draw({ ...tile, points: [] }, 480);
      expect(svg.outerHTML).not.toMatch(/NaN|undefined|Infinity/);
    },
  );

  it('keeps the order of categories, blanks included, and labels each bar with its value', () => {
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

  it('leaves a gap at a missing value', () => {
    const points = [1, 2, null, 4, 5].map((y, index) => ({ x: `2017-0${index + 1}-01`, y }));
    const svg = draw({ ...byMonth, points }, 480);
    const line = svg.querySelector('[aria-label="line"] path')?.getAttribute('d');
    expect(line?.match(/M/g)).toHaveLength(2);
  });

  it('labels every second column if the columns are narrower than their labels', () => {
    const points = Array.from({ length: 24 }, (_, x) => ({ x, y: 1 }));
    const namesAt = (width: number) => {
      const svg = draw({ ...byHour, points }, width);
      return textsOf(svg.querySelector('[aria-label="x-axis tick label"]')!);
    };
    const all = points.map(({ x }) => String(x));
    expect(namesAt(960)).toEqual(all);
    expect(namesAt(480)).toEqual(all.filter((_, index) => index % 2 === 0));
  });

  it('omits a blank from a numeric axis', () => {
    const bars = draw(byHour, 480).querySelector('[aria-label="bar"]');
    expect(bars?.children).toHaveLength(2);
  });
});

import type { ChartTile } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { drawTile as draw } from '../../test/draw-tile.ts';
import { formats } from '../../test/formats.ts';
import { find, barsOf, textsOf, numberOf } from '../../test/read-svg.ts';
import { byCategory, integer } from '../../test/samples.ts';
import { createPalette } from '../palette.ts';
import { readChart } from '../read-chart.ts';

describe('series', () => {
  const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
  const byRegion = (part: Partial<ChartTile>, ...values: number[]): ChartTile => ({
    ...byCategory,
    type: 'column',
    dimensions: [...byCategory.dimensions, color],
    groups: values.map((value, index) => ({ keys: ['A', `Region ${index}`], values: [value] })),
    ...part,
  });
  const boxes = (svg: Element, ...fields: string[]) =>
    [...barsOf(svg).children].map((bar) => fields.map((field) => Math.round(numberOf(bar, field))));

  it('are stacked, negative values below zero', () => {
    const svg = draw(byRegion({ stack: 'stacked' }, 10, -10, 10, -10), 480);
    const zero = numberOf(find(svg, 'rule').firstElementChild!, 'y1');
    const [first, second, third, fourth] = boxes(svg, 'y', 'height') as [number, number][];
    // Plot moves rules by half a pixel.
    const distances = [
      first![0] + first![1] - zero,
      third![0] + third![1] - first![0],
      second![0] - zero,
      fourth![0] - second![0] - second![1],
    ];
    expect(Math.max(...distances.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  it('grouped series are side by side', () => {
    const svg = draw(byRegion({ stack: 'grouped' }, 10, 20), 480);
    const [first, second] = boxes(svg, 'x', 'width') as [number[], number[]];
    expect(second[0]! - first[0]! - first[1]!).toBeLessThanOrEqual(1);
    expect(first[1]).toBe(second[1]);
  });

  it.each([
    ['grouped', 314],
    ['stacked', 196],
  ] as const)(
    'horizontal bars of five series, %s, are as high as their bars need',
    (stack, height) => {
      const metrics = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, format: integer }));
      const groups = ['X', 'Y', 'Z'].map((key) => ({ keys: [key], values: [1, 2, 3, 4, 5] }));
      const svg = draw({ ...byCategory, stack, metrics, groups }, 480);
      expect(numberOf(svg, 'height')).toBe(height);
    },
  );

  it('with stack percent are shares of 100 %', () => {
    const svg = draw(byRegion({ stack: 'percent' }, 10, 30), 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['0%', '20%', '40%', '60%', '80%', '100%']);
    const [first, second] = boxes(svg, 'height') as [number[], number[]];
    expect(second[0]! / first[0]!).toBeCloseTo(3, 1);
    expect(svg.textContent).not.toContain('//');
  });

  it('with negative values are stacked instead of shown as shares', () => {
    const svg = draw(byRegion({ stack: 'percent' }, 10, -30), 480);
    expect(textsOf(svg, 'y-axis tick label')).toContain('-$30');
  });

  const region = { name: 'Region', kind: 'category' } as const;

  it('a series has one color on all tiles of a page', () => {
    const first = byRegion({}, 1, 2);
    const second = byRegion({ groups: [{ keys: ['A', 'Region 1'], values: [1] }] });
    const palette = createPalette([[first], [second]]);
    expect(palette(region, 'Region 1')).toBe('var(--series-2)');
    expect(palette(region, 'unknown')).toBe('var(--series-rest)');
  });

  it('a series keeps its color when a filter leaves fewer series, and new ones get others', () => {
    const regions = (...names: string[]) =>
      byRegion({ groups: names.map((name) => ({ keys: ['A', name], values: [1] })) });
    const known = new Map();
    createPalette([[regions('East', 'West')]], known);
    const filtered = createPalette([[regions('West', 'North')]], known);
    expect(filtered(region, 'West')).toBe('var(--series-2)');
    expect(filtered(region, 'North')).toBe('var(--series-3)');
  });

  it('a series gets the color of a hidden one when all colors have been used', () => {
    const regions = (first: number, count: number) =>
      byRegion({
        groups: Array.from({ length: count }, (_, index) => ({
          keys: ['A', first + index],
          values: [1],
        })),
      });
    const known = new Map();
    createPalette([[regions(0, 12)]], known);
    const filtered = createPalette([[regions(8, 4)]], known);
    const colors = [8, 9, 10, 11].map((key) => filtered(region, key));
    expect(colors.slice(0, 2)).toEqual(['var(--series-9)', 'var(--series-10)']);
    expect(new Set(colors).size).toBe(4);
    expect(colors).not.toContain('var(--series-rest)');
  });

  it('beyond the limit of colors are combined, with their number', () => {
    const groups = [
      { keys: ['A', 'West'], values: [1] },
      { keys: ['A', null], values: [2], otherColors: 40 },
    ];
    const { legend } = readChart(byRegion({ groups }), createPalette([]), formats);
    expect(legend.map(({ name }) => name)).toEqual(['West', 'Other (40)']);
  });

  it('metrics of different units are drawn apart, facets with one axis', () => {
    const metrics = [
      { name: 'Sales', format: { ...integer, style: 'currency', currency: 'USD' } as const },
      { name: 'Profit', format: { ...integer, style: 'currency', currency: 'USD' } as const },
      { name: 'Orders', format: integer },
    ];
    const facet = { role: 'facet', dimension: { name: 'Year', kind: 'number' } } as const;
    const tile: ChartTile = {
      ...byCategory,
      type: 'column',
      dimensions: [...byCategory.dimensions, facet],
      metrics,
      groups: [
        { keys: ['A', 2016], values: [10, 5, 1] },
        { keys: ['A', 2017], values: [90, 5, 2] },
      ],
    };
    const { panels } = readChart(tile, createPalette([]), formats);
    expect(panels.map(({ name, axis }) => `${name} ${axis}`)).toEqual([
      '2016 Sales, Profit',
      '2016 Orders',
      '2017 Sales, Profit',
      '2017 Orders',
    ]);
    const labels = [0, 2].map((panel) => textsOf(draw(tile, 480, { panel }), 'y-axis tick label'));
    expect(labels[0]).toEqual(labels[1]);
  });

  it.each([
    ['currencies', 'USD', 'EUR'],
    ['units', 'hour', 'day'],
  ])('metrics of two %s are drawn apart', (kind, ...names) => {
    const metrics = names.map((name) => ({
      name,
      format:
        kind === 'units'
          ? { ...integer, style: 'unit' as const, unit: name }
          : { ...integer, style: 'currency' as const, currency: name },
    }));
    const tile = { ...byCategory, metrics, groups: [{ keys: ['A'], values: [10, 5] }] };
    const { panels } = readChart(tile, createPalette([]), formats);
    expect(panels.map(({ axis }) => axis)).toEqual(names);
  });

  it('small multiples of horizontal bars have one scale', () => {
    const facet = { role: 'facet', dimension: { name: 'Year', kind: 'number' } } as const;
    const tile: ChartTile = {
      ...byCategory,
      dimensions: [...byCategory.dimensions, facet],
      groups: [
        { keys: ['A', 2016], values: [10] },
        { keys: ['A', 2017], values: [90] },
      ],
    };
    const [small, large] = [0, 1].map((panel) =>
      numberOf(barsOf(draw(tile, 480, { panel })).firstElementChild!, 'width'),
    );
    expect(large! / small!).toBeCloseTo(9, 0);
  });

  it('two metrics with one unit keep their own digits', () => {
    const exact = { ...integer, maximumFractionDigits: 2 };
    const metrics = [
      { name: 'Orders', format: integer },
      { name: 'Orders per day', format: exact },
    ];
    const groups = [{ keys: ['A'], values: [7, 1.25] }];
    const svg = draw({ ...byCategory, stack: 'grouped', metrics, groups }, 480);
    expect(textsOf(svg, 'text')).toEqual(['7', '1.25']);
  });
});

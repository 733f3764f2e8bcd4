import type { ScatterTile } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { formats } from '../../test/formats.ts';
import { find, numberOf, textsOf } from '../../test/read-svg.ts';
import { dollars, integer } from '../../test/samples.ts';
import { drawChart } from '../draw-chart.ts';
import { emphasizePoints } from '../emphasize.ts';
import { createPalette } from '../palette.ts';
import { readScatter } from '../read-scatter.ts';

const point = { role: 'point', dimension: { name: 'State', kind: 'category' } } as const;
const color = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
const facet = { role: 'facet', dimension: { name: 'Year', kind: 'number' } } as const;
const metrics = [
  { name: 'Sales', format: dollars },
  { name: 'Profit', format: dollars },
];

const createTile = (
  points: readonly (readonly number[])[],
  part: Partial<ScatterTile> = {},
): ScatterTile => ({
  id: '0.0.0',
  type: 'scatter',
  title: 'States',
  width: 12,
  dimensions: [point],
  metrics: points[0]?.length === 3 ? [...metrics, { name: 'Orders', format: integer }] : metrics,
  groups: points.map((values, index) => ({ keys: [`State ${index}`], values: [...values] })),
  groupCount: points.length,
  shownCount: points.length,
  ...part,
});
const read = (tile: ScatterTile) => readScatter(tile, createPalette([[tile]]), formats);
const draw = (tile: ScatterTile, panel = 0) => drawChart(read(tile), panel, 480, formats);
const dotsOf = (svg: Element) => [...find(svg, 'dot').children];
const rulesOf = (svg: Element) => svg.querySelectorAll('[aria-label="rule"] line').length;

describe('the dots of a scatter chart', () => {
  it('the area of a dot shows its size, and small dots are drawn above large ones', () => {
    const dots = dotsOf(
      draw(
        createTile([
          [1, 1, 25],
          [2, 2, 100],
          [3, 3, -400],
        ]),
      ),
    );
    expect(dots.map((dot) => numberOf(dot, 'r'))).toEqual([8, 4, 16]);
  });

  it('without sizes, all dots are equal', () => {
    const dots = dotsOf(
      draw(
        createTile([
          [1, 1],
          [2, 2],
        ]),
      ),
    );
    expect(dots.map((dot) => numberOf(dot, 'r'))).toEqual([4, 4]);
  });

  it('a selected dot is less transparent, and the dot that the arrow keys have reached has a strong edge', () => {
    const scatter = read(
      createTile([
        [1, 1],
        [2, 2],
      ]),
    );
    const shown = emphasizePoints(scatter, (place) => ({
      isSelected: place === 1,
      isActive: place === 0,
    }));
    const [faint, selected] = dotsOf(drawChart(shown, 0, 480, formats));
    for (const name of ['fill-opacity', 'stroke-opacity'])
      expect(numberOf(faint!, name)).toBeLessThan(numberOf(selected!, name));
    expect([faint, selected].map((dot) => dot!.getAttribute('stroke'))).toEqual([
      'var(--text)',
      'var(--chart)',
    ]);
    expect(numberOf(faint!, 'stroke-width')).toBeGreaterThan(numberOf(selected!, 'stroke-width'));
    const usual = dotsOf(drawChart(scatter, 0, 480, formats));
    expect(usual.map((dot) => dot.getAttribute('fill-opacity'))).toEqual(['0.55', '0.55']);
  });

  it('the combined groups of a dimension have a separate color', () => {
    const groups = [
      { keys: ['Ohio', 'West'], values: [1, 1] },
      { keys: ['Iowa', null], values: [2, 2], otherColors: 3 },
    ];
    const { legend, marks } = read(createTile([], { dimensions: [point, color], groups }));
    expect(legend.map(({ name, color: fill }) => [name, fill])).toEqual([
      ['West', 'var(--series-1)'],
      ['Other (3)', 'var(--series-rest)'],
    ]);
    expect(marks.map(({ title }) => title)).toEqual([
      'Ohio (West)\nSales: $1\nProfit: $1',
      'Iowa (Other (3))\nSales: $2\nProfit: $2',
    ]);
    const others = [
      { keys: ['Ohio'], values: [1, 1] },
      { keys: [null], values: [2, 2], other: 9 },
    ];
    const fills = read(createTile([], { groups: others })).panels[0]!.points;
    expect(fills.map(({ color: fill }) => fill)).toEqual(['var(--chart)', 'var(--series-rest)']);
  });
});

describe('the axes of a scatter chart', () => {
  it.each([
    [1, 1, 0],
    [0, 0, 0],
    [-10, 1, 1],
    [1, -10, 1],
    [-10, -10, 2],
  ])('points from %d and %d to 10 have %d lines at zero', (x, y, count) => {
    const svg = draw(
      createTile([
        [x, y],
        [10, 10],
      ]),
    );
    expect(rulesOf(svg)).toBe(count);
  });

  it('points below zero have no lines at zero', () => {
    const svg = draw(
      createTile([
        [-10, -10],
        [-1, -1],
      ]),
    );
    expect(rulesOf(svg)).toBe(0);
  });

  it('small multiples are lower, and have the axes of all points', () => {
    const groups = [
      { keys: ['Ohio', 2016], values: [10, 10] },
      { keys: ['Ohio', 2017], values: [50, 70] },
    ];
    const tile = createTile([], { dimensions: [point, facet], groups });
    expect(read(tile).panels.map(({ name }) => name)).toEqual(['2016', '2017']);
    const [first, second] = [0, 1].map((panel) => draw(tile, panel));
    for (const axis of ['x-axis tick label', 'y-axis tick label'])
      expect(textsOf(first!, axis)).toEqual(textsOf(second!, axis));
    expect(dotsOf(first!)).toHaveLength(1);
    const alone = draw(createTile([[10, 10]]));
    expect(numberOf(first!, 'height')).toBeLessThan(numberOf(alone, 'height'));
    expect(textsOf(first!, 'y-axis tick label').length).toBeLessThan(
      textsOf(
        draw(
          createTile([
            [10, 10],
            [50, 70],
          ]),
        ),
        'y-axis tick label',
      ).length,
    );
  });
});

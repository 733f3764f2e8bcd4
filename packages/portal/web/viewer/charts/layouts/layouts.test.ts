import type { ChartTile } from '@portal-embed/report-model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createFormats } from '../../format/create-formats.ts';
import { drawTile as draw } from '../../test/draw-tile.ts';
import { byCategory, byHour, byMonth, integer } from '../../test/samples.ts';
import { createPalette } from '../palette.ts';
import { readChart } from '../read-chart.ts';

const find = (svg: Element, label: string) => svg.querySelector(`[aria-label="${label}"]`)!;
/** The last rectangles: those before them are highlights. */
const barsOf = (svg: Element) => [...svg.querySelectorAll('[aria-label="rect"]')].at(-1)!;
const textsOf = (svg: Element, label: string) =>
  [...find(svg, label).querySelectorAll('text')].map((text) => text.textContent);
/** Where an axis has its labels, horizontally or vertically. */
const placesOf = (svg: Element, axis: 'x' | 'y') =>
  [...find(svg, `${axis}-axis tick label`).querySelectorAll('text')].map((text) => {
    const [, x, y] = /translate\(([\d.]+),([\d.]+)\)/.exec(text.getAttribute('transform')!)!;
    return Number(axis === 'x' ? x : y);
  });
const numberOf = (element: Element, name: string) => Number(element.getAttribute(name));

const names = (count: number, name = 'Name') =>
  Array.from({ length: count }, (_, index) => ({
    keys: [`${name} ${index}`],
    values: [index + 1],
  }));

describe('horizontal bars', () => {
  it.each([
    [1, 64],
    [5, 272],
    [8, 272],
    [9, 296],
    [20, 648],
  ])('%d horizontal bars are %d pixels high', (count, height) => {
    const svg = draw({ ...byCategory, groups: names(count) }, 480);
    expect(numberOf(svg, 'height')).toBe(height);
  });

  it.each([
    ['Ten chars.', 86],
    ['A name that is far longer than forty percent', 192],
  ])('the name %s has %d of 480 pixels beside its bar', (x, left) => {
    const svg = draw({ ...byCategory, groups: [{ keys: [x], values: [1] }] }, 480);
    const bar = barsOf(svg).firstElementChild!;
    expect([numberOf(bar, 'x'), numberOf(bar, 'width')]).toEqual([left, 480 - 26.4 - left]);
  });

  it('a name that is too long is cut with an ellipsis', () => {
    const x = 'A name that is far longer than forty percent of the width';
    const svg = draw({ ...byCategory, groups: [{ keys: [x], values: [1] }] }, 480);
    expect(textsOf(svg, 'y-axis tick label')[0]).toMatch(/^A name .*…/);
  });

  it('bars begin at zero, and the value of a negative one stands beside the zero line', () => {
    const groups = [
      { keys: ['A'], values: [-10] },
      { keys: ['B'], values: [10] },
      { keys: ['C'], values: [null] },
    ];
    const svg = draw({ ...byCategory, groups }, 480);
    const [negative, positive] = barsOf(svg).children;
    const zero = numberOf(find(svg, 'rule').firstElementChild!, 'x1');
    expect(numberOf(positive!, 'x')).toBe(zero);
    expect(numberOf(negative!, 'x') + numberOf(negative!, 'width')).toBeCloseTo(zero);
    expect(textsOf(svg, 'text')).toEqual(['-$10', '$10', '–']);
    const values = [...find(svg, 'text').children].map((text) => text.getAttribute('transform'));
    expect(values[0]).toMatch(`translate(${zero},`);
    expect(values[2]).toMatch(`translate(${zero},`);
  });
});

describe('lines', () => {
  const years = (tile: Partial<ChartTile> = {}): ChartTile => ({
    ...byMonth,
    dimensions: [{ role: 'x', dimension: { name: 'Year', kind: 'time', grain: 'year' } }],
    groups: Array.from({ length: 6 }, (_, index) => ({
      keys: [`${2011 + index}-01-01`],
      values: [300],
    })),
    ...tile,
  });

  it('a line has its values above zero, with short labels', () => {
    expect(textsOf(draw(years(), 480), 'y-axis tick label')).toEqual([
      '$0',
      '$50',
      '$100',
      '$150',
      '$200',
      '$250',
      '$300',
    ]);
  });

  it('the axis of values ends at a round number', () => {
    const labels = textsOf(draw(byMonth, 480), 'y-axis tick label');
    expect(labels.at(-1)).toBe('$350');
  });

  it('a line of times has room for two lines of labels, others for one', () => {
    const bottomOf = (tile: ChartTile) => Math.max(...placesOf(draw(tile, 480), 'y'));
    expect(bottomOf(byMonth)).toBe(280 - 40);
    expect(bottomOf({ ...byHour, type: 'line' })).toBe(280 - 26);
  });

  it('a line of times has as many labels as fit its width', () => {
    const groups = Array.from({ length: 48 }, (_, month) => ({
      keys: [new Date(Date.UTC(2011, month)).toISOString()],
      values: [month],
    }));
    const labels = (width: number) => placesOf(draw({ ...byMonth, groups }, width), 'x');
    expect(labels(960)).toHaveLength(16);
    expect(labels(480)).toHaveLength(8);
    expect(labels(80)).toHaveLength(1);
  });

  it('a line of names has them in the order of the data, at equal distances', () => {
    const groups = [...names(3, 'Z'), { keys: ['A'], values: [5] }];
    const svg = draw({ ...byCategory, type: 'line', groups }, 480);
    expect(textsOf(svg, 'x-axis tick label')).toEqual(['Z 0', 'Z 1', 'Z 2', 'A']);
    const [first, second, third, fourth] = placesOf(svg, 'x') as [number, number, number, number];
    expect(second - first).toBeCloseTo(fourth - third);
  });

  it('a line of numbers has them to scale', () => {
    const groups = [0, 1, 4].map((x) => ({ keys: [x], values: [1] }));
    const svg = draw({ ...byHour, type: 'line', groups }, 480);
    const path = find(svg, 'line').firstElementChild!.getAttribute('d')!;
    const [first, second, third] = [...path.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x));
    expect((third! - first!) / (second! - first!)).toBeCloseTo(4);
  });
});

describe('columns', () => {
  it('columns without points below zero begin at zero', () => {
    const groups = [3, 4].map((value, x) => ({ keys: [x], values: [value] }));
    const svg = draw({ ...byHour, groups }, 480);
    const bottoms = [...barsOf(svg).children].map(
      (bar) => numberOf(bar, 'y') + numberOf(bar, 'height'),
    );
    const zero = numberOf(find(svg, 'rule').firstElementChild!, 'y1');
    expect(bottoms).toEqual([zero, zero]);
  });

  it('columns of times have the names of the times', () => {
    const svg = draw({ ...byMonth, type: 'column' }, 480);
    expect(textsOf(svg, 'x-axis tick label')).toEqual(['Oct 2017', 'Nov 2017', 'Dec 2017']);
  });
});

describe('the look of a chart', () => {
  it('columns fill four fifths of their room, horizontal bars three fifths', () => {
    const fill = (tile: ChartTile, place: string, size: string) => {
      const [first, second] = barsOf(draw(tile, 480)).children;
      return numberOf(first!, size) / (numberOf(second!, place) - numberOf(first!, place));
    };
    const columns = { ...byCategory, type: 'column', groups: names(10) } as const;
    expect(fill(columns, 'x', 'width')).toBeCloseTo(0.8);
    expect(fill({ ...byCategory, groups: names(2) }, 'y', 'height')).toBeCloseTo(0.6, 1);
  });

  it('horizontal bars have equal space above and below', () => {
    const svg = draw({ ...byCategory, groups: names(3) }, 480);
    const bars = [...barsOf(svg).children];
    const above = numberOf(bars[0]!, 'y');
    const below = numberOf(svg, 'height') - numberOf(bars[2]!, 'y') - numberOf(bars[2]!, 'height');
    expect(Math.abs(above - below)).toBeLessThan(2);
  });

  it('the value of a horizontal bar begins after its end', () => {
    const svg = draw({ ...byCategory, groups: [{ keys: ['A'], values: [1] }] }, 480);
    const bar = barsOf(svg).firstElementChild!;
    const values = find(svg, 'text');
    expect(values).toHaveAttribute('text-anchor', 'start');
    expect(values).toHaveAttribute('transform', expect.stringMatching(/^translate\(6(\.5)?,/));
    expect(values.firstElementChild).toHaveAttribute(
      'transform',
      expect.stringContaining(`translate(${numberOf(bar, 'x') + numberOf(bar, 'width')},`),
    );
  });

  it('the area below a line is tinted', () => {
    const area = find(draw(byMonth, 480), 'area');
    expect(area).toHaveAttribute('fill', 'var(--chart)');
    expect(area).toHaveAttribute('fill-opacity', '0.1');
  });

  it.each([byMonth, byCategory, byHour])('an axis has labels without ticks: $title', (tile) => {
    const svg = draw(tile, 480);
    for (const axis of ['x', 'y'])
      expect(svg.querySelector(`[aria-label="${axis}-axis tick"]`)).toBeNull();
  });
});

describe('honest drawings', () => {
  const months = (...values: (readonly [string, number | null])[]) =>
    values.map(([month, value]) => ({ keys: [`2017-${month}-01`], values: [value] }));
  const pathsOf = (svg: Element, label: string) =>
    [...svg.querySelectorAll(`[aria-label="${label}"] path`)].map((path) =>
      path.getAttribute('d')!,
    );

  it('a line does not bridge months that are missing', () => {
    const groups = months(['01', 1], ['02', 2], ['05', 3], ['06', 4]);
    const [line] = pathsOf(draw({ ...byMonth, groups }, 480), 'line');
    expect(line!.match(/M/g)).toHaveLength(2);
  });

  it('a value between two gaps is a dot', () => {
    const groups = months(['01', 1], ['02', null], ['03', 2], ['04', null], ['05', 3], ['06', 4]);
    const svg = draw({ ...byMonth, groups }, 480);
    expect(find(svg, 'dot').children).toHaveLength(2);
  });

  it('the line to an incomplete month is dashed, and its point is hollow', () => {
    const groups = months(['01', 1], ['02', 2], ['03', 3]);
    const svg = draw({ ...byMonth, groups, incompleteKey: '2017-03-01' }, 480);
    const [solid, dashed] = svg.querySelectorAll('[aria-label="line"]');
    expect(solid!.querySelector('path')!.getAttribute('d')!.match(/[ML]/g)).toHaveLength(2);
    expect(dashed).toHaveAttribute('stroke-dasharray', '4 4');
    expect(find(svg, 'dot')).toHaveAttribute('fill', 'var(--surface)');
  });

  it('the column of an incomplete month is faint', () => {
    const groups = months(['01', 1], ['02', 2]);
    const svg = draw({ ...byMonth, type: 'column', groups, incompleteKey: '2017-02-01' }, 480);
    const bars = [...barsOf(svg).children].map((bar) => bar.getAttribute('fill-opacity'));
    expect(bars).toEqual(['1', '0.45']);
  });

  it('the groups beyond the limit are one bar of another color, with their number', () => {
    const groups = [...names(2), { keys: [null], values: [9], other: 4_985 }];
    const svg = draw({ ...byCategory, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['Name 0', 'Name 1', 'Other (4,985)']);
    const fills = [...barsOf(svg).children].map((bar) => bar.getAttribute('fill'));
    expect(fills).toEqual(['var(--chart)', 'var(--chart)', 'var(--series-rest)']);
  });

  it('a blank value and the groups beyond the limit are two bars', () => {
    const groups = [
      { keys: [null], values: [1] },
      { keys: [null], values: [9], other: 2 },
    ];
    const svg = draw({ ...byCategory, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['(blank)', 'Other (2)']);
  });

  it.each([
    [
      [0.2, 0.9],
      ['0', '1'],
    ],
    [
      [0, 0],
      ['0', '1'],
    ],
    [
      [null, null],
      ['0', '1'],
    ],
    [
      [1, 2],
      ['0', '1', '2'],
    ],
  ])('the axis of whole numbers has no fractions: %j', (values, labels) => {
    const groups = values.map((value, index) => ({ keys: [`${index}`], values: [value] }));
    const metrics = [{ name: 'Orders', format: integer }];
    const svg = draw({ ...byCategory, type: 'column', metrics, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(labels);
  });
});

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
    const svg = draw(byRegion({ stack: 'stacked' }, 10, 10, -10), 480);
    const zero = numberOf(find(svg, 'rule').firstElementChild!, 'y1');
    const [first, second, third] = boxes(svg, 'y', 'height') as [number[], number[], number[]];
    // Plot moves rules by half a pixel.
    const distances = [
      first[0]! + first[1]! - zero,
      second[0]! + second[1]! - first[0]!,
      third[0]! - zero,
    ];
    expect(Math.max(...distances.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  it('are grouped side by side', () => {
    const svg = draw(byRegion({ stack: 'grouped' }, 10, 20), 480);
    const [first, second] = boxes(svg, 'x', 'width') as [number[], number[]];
    expect(second[0]! - first[0]! - first[1]!).toBeLessThanOrEqual(1);
    expect(first[1]).toBe(second[1]);
  });

  it('are shares of 100 %', () => {
    const svg = draw(byRegion({ stack: 'percent' }, 10, 30), 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['0%', '20%', '40%', '60%', '80%', '100%']);
    const [first, second] = boxes(svg, 'height') as [number[], number[]];
    expect(second[0]! / first[0]!).toBeCloseTo(3, 1);
  });

  it('with negative values have no shares: they are stacked', () => {
    const svg = draw(byRegion({ stack: 'percent' }, 10, -30), 480);
    expect(textsOf(svg, 'y-axis tick label')).toContain('-$30');
  });

  it('have one color on all tiles of a page', () => {
    const first = byRegion({}, 1, 2);
    const second = byRegion({ groups: [{ keys: ['A', 'Region 1'], values: [1] }] });
    const palette = createPalette([[first], [second]]);
    expect(palette('Region', 'Region 1')).toBe('var(--series-2)');
    expect(palette('Region', 'unknown')).toBe('var(--series-rest)');
  });

  it('beyond the limit of colors are one, with their number', () => {
    const groups = [
      { keys: ['A', 'West'], values: [1] },
      { keys: ['A', null], values: [2], otherColors: 40 },
    ];
    const { legend } = readChart(byRegion({ groups }), createPalette([]), createFormats('en-US'));
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
    const { panels } = readChart(tile, createPalette([]), createFormats('en-US'));
    expect(panels.map(({ name, axis }) => `${name} ${axis}`)).toEqual([
      '2016 Sales, Profit',
      '2016 Orders',
      '2017 Sales, Profit',
      '2017 Orders',
    ]);
    const labels = [0, 2].map((panel) => textsOf(draw(tile, 480, panel), 'y-axis tick label'));
    expect(labels[0]).toEqual(labels[1]);
  });
});

describe('the tooltip', () => {
  // jsdom has no layout.
  const prototype = SVGElement.prototype as unknown as { getBBox?: () => DOMRectInit };
  beforeEach(() => {
    prototype.getBBox = () => ({ x: 0, y: 0, width: 50, height: 30 });
  });
  afterEach(() => {
    delete prototype.getBBox;
    document.body.replaceChildren();
  });

  /** Draws a tile and points at it. */
  function pointAt(tile: ChartTile, clientX: number): Element {
    const svg = draw(tile, 480);
    document.body.append(svg);
    for (const type of ['pointerenter', 'pointermove'])
      svg.dispatchEvent(new PointerEvent(type, { clientX, clientY: 100, pointerType: 'mouse' }));
    return svg;
  }

  it.each([
    [byMonth, 260, ['Nov 2017', 'Sales: $301']],
    [byHour, 250, ['1', 'Minutes: 7.5']],
  ])(
    'the tooltip of $title has the name and the value at the pointer',
    async (tile, clientX, text) => {
      const svg = pointAt(tile, clientX);
      const lines = () =>
        [...find(svg, 'tip').querySelectorAll('tspan')].map((line) =>
          line.textContent.replace('\u200b', ''),
        );
      await expect.poll(lines).toEqual(text);
    },
  );

  it('the tooltip of a line has a rule at its point', async () => {
    const svg = pointAt(byMonth, 260);
    await expect.poll(() => find(svg, 'rule').children.length).toBe(1);
  });
});

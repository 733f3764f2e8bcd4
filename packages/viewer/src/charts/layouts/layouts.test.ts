import type { ChartTile } from '@portal-embed/report-model';
import { afterEach, describe, expect, it } from 'vitest';

import { drawTile as draw } from '../../test/draw-tile.ts';
import { find, barsOf, textsOf, placesOf, numberOf, names } from '../../test/read-svg.ts';
import { byCategory, byHour, byMonth } from '../../test/samples.ts';

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
    const [name] = textsOf(svg, 'y-axis tick label');
    expect(name).toMatch(/^A name .*…/);
    // The whole name follows, as a tooltip. In the widest font, a character is 7.2 px wide.
    expect((name!.indexOf('…') + 1) * 7.2).toBeLessThanOrEqual(480 * 0.4);
  });

  it('a name that just fits on a phone is beside its bar', () => {
    const svg = draw({ ...byCategory, groups: [{ keys: ['Ten chars.'], values: [1] }] }, 200);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['Ten chars.']);
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

  it('two integers that are equal as doubles have separate places on an axis', () => {
    const svg = draw(
      years({
        dimensions: [{ role: 'x', dimension: { name: 'Invoice', kind: 'number' } }],
        groups: ['9007199254740993', 9_007_199_254_740_992, 12].map((key) => ({
          keys: [key],
          values: [300],
        })),
      }),
      480,
    );
    expect(textsOf(svg, 'x-axis tick label')).toEqual([
      '12',
      '9007199254740992',
      '9007199254740993',
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

  it('a line over names has them in the order of the data, at equal distances', () => {
    const groups = [...names(3, 'Z'), { keys: ['A'], values: [5] }];
    const svg = draw({ ...byCategory, type: 'line', groups }, 480);
    expect(textsOf(svg, 'x-axis tick label')).toEqual(['Z 0', 'Z 1', 'Z 2', 'A']);
    const [first, second, third, fourth] = placesOf(svg, 'x') as [number, number, number, number];
    expect(second - first).toBeCloseTo(fourth - third);
  });

  it('a line over numbers has them to scale', () => {
    const groups = [0, 1, 4].map((x) => ({ keys: [x], values: [1] }));
    const svg = draw({ ...byHour, type: 'line', groups }, 480);
    const path = find(svg, 'line').firstElementChild!.getAttribute('d')!;
    const [first, second, third] = [...path.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x));
    expect((third! - first!) / (second! - first!)).toBeCloseTo(4);
  });
});

describe('columns', () => {
  it('without points below zero begin at zero', () => {
    const groups = [3, 4].map((value, x) => ({ keys: [x], values: [value] }));
    const svg = draw({ ...byHour, groups }, 480);
    const bottoms = [...barsOf(svg).children].map(
      (bar) => numberOf(bar, 'y') + numberOf(bar, 'height'),
    );
    const zero = numberOf(find(svg, 'rule').firstElementChild!, 'y1');
    expect(bottoms).toEqual([zero, zero]);
  });

  it('turned labels have room of their own below the columns', () => {
    const [short, long] = [names(3, 'A'), names(30, 'A long name')].map((groups) =>
      draw({ ...byCategory, type: 'column', groups }, 480),
    );
    const zeroOf = (svg: Element) => numberOf(find(svg, 'rule').firstElementChild!, 'y1');
    expect(find(long!, 'x-axis tick label').innerHTML).toContain('rotate(-45)');
    expect(zeroOf(long!)).toBe(zeroOf(short!));
    expect(numberOf(long!, 'height')).toBeGreaterThan(numberOf(short!, 'height') + 60);
  });

  it('over times have the times as labels', () => {
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

  it('a column is at most 72 pixels wide', () => {
    const svg = draw({ ...byCategory, type: 'column', groups: names(1) }, 480);
    expect(numberOf(barsOf(svg).firstElementChild!, 'width')).toBeCloseTo(72);
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

describe('the tooltip', () => {
  afterEach(() => {
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
  ])('of $title has the name and the value at the pointer', (tile, clientX, text) => {
    const svg = pointAt(tile, clientX);
    expect(svg.getAttribute('data-tip')?.split('\n')).toEqual(text);
    expect(svg.querySelectorAll('.plot-tip > *')).toHaveLength(1);
    svg.dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' }));
    expect(svg).not.toHaveAttribute('data-tip');
  });

  it('of a line has a rule at its point', () => {
    const svg = pointAt(byMonth, 260);
    expect(find(svg, 'rule').children).toHaveLength(1);
  });
});

import type { ChartTile, Key } from '@portal-embed/report-model';
import german from 'page-kit/messages/de.json';
import { describe, expect, it } from 'vitest';

import { createFormats } from '../../format/create-formats.ts';
import { drawTile } from '../../test/draw-tile.ts';
import { formats } from '../../test/formats.ts';
import { find, numberOf, placesOf, textsOf } from '../../test/read-svg.ts';
import { byMonth } from '../../test/samples.ts';
import { drawChart } from '../draw-chart.ts';
import { emphasize, type Emphasis } from '../emphasize.ts';
import { createPalette } from '../palette.ts';
import { readChart } from '../read-chart.ts';

const tileOf = (...keys: Key[]): ChartTile => ({
  ...byMonth,
  groups: keys.map((key, index) => ({ keys: [key], values: [index + 1] })),
});
const months = ['2017-01-01', '2017-02-01', '2017-03-01'];

describe('the marks of a line', () => {
  /** The colors and positions of the vertical lines of a chart. */
  function rulesOf(tile: ChartTile, emphasisOf: (place: number) => Emphasis) {
    const chart = emphasize(readChart(tile, createPalette([[tile]]), formats), emphasisOf);
    const svg = drawChart(chart, 0, 480, formats);
    // The first rule is the one at zero.
    const rules = [...svg.querySelectorAll('[aria-label="rule"]')].slice(1);
    return {
      colors: rules.flatMap((rule) =>
        rule.children.length > 0 ? [rule.getAttribute('stroke')] : [],
      ),
      places: rules.flatMap((rule) => [...rule.children].map((line) => numberOf(line, 'x1'))),
      ticks: placesOf(svg, 'x'),
    };
  }
  const emphasisAt = (selected: number | undefined, active?: number) => (place: number) => ({
    isSelected: selected === undefined ? undefined : place === selected,
    isActive: place === active,
  });

  it('a strong vertical line marks the selection, and a weak one the keyboard position', () => {
    const tile = tileOf(...months);
    const { colors, places, ticks } = rulesOf(tile, emphasisAt(1, 2));
    expect(colors).toEqual(['var(--accent-strong)', 'var(--line-strong)']);
    expect(places.map((place) => Math.round(place))).toEqual(
      ticks.slice(1).map((tick) => Math.round(tick)),
    );
    expect(rulesOf(tile, emphasisAt(1, 1)).colors).toEqual(['var(--accent-strong)']);
    expect(rulesOf(tile, emphasisAt(undefined)).colors).toEqual([]);
  });

  it('a blank has no vertical line on an axis of numbers, and one on an axis of categories', () => {
    const by = (kind: 'category' | 'number', ...keys: Key[]): ChartTile => ({
      ...tileOf(...keys),
      dimensions: [{ role: 'x', dimension: { name: 'Size', kind } }],
    });
    const numbers = by('number', 1, 2, null);
    const places = readChart(numbers, createPalette([[numbers]]), formats).places;
    const blank = places.findIndex(({ key }) => key === null);
    expect(rulesOf(numbers, emphasisAt(blank)).places).toEqual([]);
    expect(rulesOf(by('category', 'West', null), emphasisAt(1)).places).toHaveLength(1);
  });
});

it.each([
  ['line', 'time', ['2017-01-01', '2017-02-01', null], '$2'],
  ['area', 'number', [1, 2, null], '$2'],
  ['line', 'category', ['East', 'West', null], '$1K'],
  ['column', 'time', ['2017-01-01', '2017-02-01', null], '$1K'],
] as const)(
  'an axis of values leaves out a blank only where it is not drawn: a %s over %s with the keys %j, up to %s',
  (type, kind, keys, highest) => {
    const groups = keys.map((key, index) => ({ keys: [key], values: [[1, 2, 1000][index]!] }));
    const dimensions: ChartTile['dimensions'] = [{ role: 'x', dimension: { name: 'Kind', kind } }];
    const svg = drawTile({ ...byMonth, type, dimensions, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label').at(-1)).toBe(highest);
  },
);

it('an area has a gap where its series have no value', () => {
  const groups = [1, 2, null, 4, 5].map((value, index) => ({
    keys: [`2017-0${index + 1}-01`],
    values: [value],
  }));
  const area = find(drawTile({ ...byMonth, type: 'area', groups }, 480), 'area');
  expect(area.querySelector('path')!.getAttribute('d')!.match(/M/g)).toHaveLength(2);
});

it('a numeric axis has labels at round numbers, and none if all keys are blank', () => {
  const dimensions: ChartTile['dimensions'] = [
    { role: 'x', dimension: { name: 'Size', kind: 'number' } },
  ];
  const draw = (...keys: Key[]) => drawTile({ ...tileOf(...keys), dimensions }, 480);
  expect(textsOf(draw(0, 3, 10), 'x-axis tick label')).toEqual(['0', '2', '4', '6', '8', '10']);
  expect(draw(null).querySelector('[aria-label="x-axis tick label"]')).toBeNull();
});

it('longer month names reduce the number of labels', () => {
  const tile = tileOf(...Array.from({ length: 12 }, (_, index) => `20${10 + index}-05-01`));
  const long = createFormats('en-US', german);
  const { formatTimeTicks } = long;
  const named = {
    ...long,
    formatTimeTicks: (ticks: Parameters<typeof formatTimeTicks>[0]) =>
      formatTimeTicks(ticks).map((label) => `${label} of our era`),
  };
  const count = (of: typeof long) => placesOf(drawTile(tile, 800, { formats: of }), 'x').length;
  expect(count(long)).toBe(12);
  expect(count(named)).toBeLessThan(12);
});

import { expect, it } from 'vitest';

import { noteChart } from '../report/tiles/chart-notes.ts';
import { drawTile } from '../test/draw-tile.ts';
import { formats } from '../test/formats.ts';
import { byMonth } from '../test/samples.ts';
import { createPalette } from './palette.ts';
import { readChart } from './read-chart.ts';

/** Three complete months of about 10, and one that has just begun. */
const begin = (value: number) => ({
  ...byMonth,
  incompleteKey: '2017-04-01',
  groups: [10, 12, 11, value].map((each, index) => ({
    keys: [`2017-0${index + 1}-01`],
    values: [each],
  })),
});
const ticksOf = (svg: Element) =>
  [...svg.querySelectorAll('[aria-label="y-axis tick label"] text')].map(
    (text) => text.textContent,
  );
const notesOf = (tile: ReturnType<typeof begin>) =>
  noteChart(tile, readChart(tile, createPalette([[tile]]), formats), formats).join(' ');

it('an incomplete period does not flatten the others, and its value stands at the end of the axis', () => {
  const tile = begin(100);
  const svg = drawTile(tile, 600);
  expect(ticksOf(svg).at(-1)).toBe('$12');
  expect(svg.textContent).toContain('▲ $100');
  expect(notesOf(tile)).toContain('The value of Apr 2017, $100, lies outside the axis.');
});

it('an incomplete period below the axis stands at its lower end', () => {
  expect(drawTile(begin(-50), 600).textContent).toContain('▼ -$50');
});

it('an incomplete period that is little higher than the others lengthens the axis', () => {
  const svg = drawTile(begin(14), 600);
  expect(ticksOf(svg).at(-1)).toBe('$14');
  expect(svg.textContent).not.toContain('▲');
  expect(notesOf(begin(14))).not.toContain('outside');
});

it('a sum that is high already lengthens the axis', () => {
  const [sales] = byMonth.metrics;
  const tile = { ...begin(100), metrics: [{ ...sales!, isAdditive: true }] };
  expect(ticksOf(drawTile(tile, 600)).at(-1)).toBe('$100');
});

import type { ScatterTile } from '@portal-embed/report-model';
import pseudo from 'page-kit/messages/ar-XB.json';
import { describe, expect, it } from 'vitest';

import { createFormats } from '../format/create-formats.ts';
import { specimens, type Specimen } from '../test/chart-specimens.ts';
import { formats as english } from '../test/formats.ts';
import { drawChart } from './draw-chart.ts';
import { emphasize, emphasizePoints, type Emphasis } from './emphasize.ts';
import { createPalette } from './palette.ts';
import { readChart } from './read-chart.ts';
import { readScatter } from './read-scatter.ts';

const none = (): Emphasis => ({ isSelected: undefined, isActive: false });

const isScatter = (tile: Specimen['tile']): tile is ScatterTile => tile.type === 'scatter';

function draw({ tile, width = 480, panel = 0, isRightToLeft, emphasisOf = none }: Specimen) {
  const formats = isRightToLeft ? createFormats('en-US', pseudo) : english;
  const palette = createPalette([[tile]]);
  const chart = isScatter(tile)
    ? emphasizePoints(readScatter(tile, palette, formats), emphasisOf)
    : emphasize(readChart(tile, palette, formats), emphasisOf);
  return drawChart(chart, panel, width, formats);
}

/** An element in each line, and tenths of a pixel: the differences of two drawings can be read. */
const write = (svg: Element) =>
  svg.outerHTML
    .replaceAll(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10))
    .replaceAll(/></g, '>\n<')
    .concat('\n');

// Look at each changed drawing before `--update` stores it.
describe('stored drawings', () => {
  it.each(Object.entries(specimens))('the drawing %s is as stored', async (name, specimen) => {
    await expect(write(draw(specimen))).toMatchFileSnapshot(`./drawings/${name}.svg`);
  });
});

it.each(Object.entries(specimens))(
  'the drawing %s has no negative size in a place of 1 to 240 pixels',
  (_, specimen) => {
    for (const width of [1, 8, 20, 50, 80, 120, 160, 240]) {
      const svg = draw({ ...specimen, width });
      expect([width, / (?:width|height|r|rx)="-|NaN/.exec(svg.outerHTML)]).toEqual([width, null]);
    }
  },
);

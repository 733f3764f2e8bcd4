import { describe, expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { byMonth } from '../test/samples.ts';
import { hideSeries } from './emphasize.ts';
import { createPalette } from './palette.ts';
import { readChart } from './read-chart.ts';

const tile = {
  ...byMonth,
  dimensions: [
    ...byMonth.dimensions,
    { role: 'color' as const, dimension: { name: 'Region', kind: 'category' as const } },
  ],
  groups: [
    { keys: ['2017-10-01', 'West'], values: [1] },
    { keys: ['2017-10-01', 'East'], values: [2] },
  ],
};
const chart = readChart(tile, createPalette([[tile]]), formats);
const [west, east] = chart.legend.map(({ id }) => id) as [string, string];

describe('a hidden series', () => {
  it('is not drawn, and stays in the legend', () => {
    const { panels, legend } = hideSeries(chart, new Set([west]));
    expect(panels.map(({ series }) => series.map(({ id }) => id))).toEqual([[east]]);
    expect(panels[0]!.values).toEqual([chart.panels[0]!.values[1]]);
    expect(legend).toEqual(chart.legend);
  });

  it('leaves no panel without series', () => {
    const [panel] = chart.panels;
    const only = (index: number) => ({
      ...panel!,
      series: [panel!.series[index]!],
      values: [panel!.values[index]!],
    });
    const { panels } = hideSeries({ ...chart, panels: [only(0), only(1)] }, new Set([west]));
    expect(panels).toEqual([only(1)]);
  });

  it('is drawn if all series are hidden', () => {
    expect(hideSeries(chart, new Set([west, east]))).toBe(chart);
  });
});

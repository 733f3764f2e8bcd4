import type { ChartTile } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { createPalette } from '../../charts/palette.ts';
import { readChart } from '../../charts/read-chart.ts';
import { formats } from '../../test/formats.ts';
import { byCategory, byMonth } from '../../test/samples.ts';
import { noteChart } from './chart-notes.ts';

const notesOf = (tile: ChartTile) =>
  noteChart(tile, readChart(tile, createPalette([[tile]]), formats), formats);

it('a chart that shows all of its values has no notes', () => {
  expect(notesOf(byMonth)).toEqual([]);
});

it.each(['bar', 'column', 'area'] as const)(
  'the notes of a %s chart of shares say that negative values have none',
  (type) => {
    const shares: ChartTile = { ...byCategory, type, stack: 'percent' };
    expect(notesOf(shares)).toEqual([]);
    const groups = [...shares.groups, { keys: ['Returns'], values: [-1] }];
    expect(notesOf({ ...shares, groups })).toEqual([
      'Negative values have no share, so this chart shows values instead of percentages.',
    ]);
    expect(notesOf({ ...shares, groups, stack: 'stacked' })).toEqual([]);
  },
);

it('a line never shows shares, so negative values need no note', () => {
  const groups = [...byMonth.groups, { keys: ['2018-01-01'], values: [-1] }];
  expect(notesOf({ ...byMonth, stack: 'percent', groups })).toEqual([]);
});

it.each(['line', 'area'] as const)(
  'a chart of type %s notes undrawn blanks, except on a category axis',
  (type) => {
    const groups = [...byMonth.groups, { keys: [null], values: [5] }];
    expect(notesOf({ ...byMonth, type, groups })).toEqual(['(blank) is shown only in the table.']);
    expect(notesOf({ ...byCategory, type })).toEqual([]);
    expect(notesOf({ ...byMonth, type: 'column', groups })).toEqual([]);
  },
);

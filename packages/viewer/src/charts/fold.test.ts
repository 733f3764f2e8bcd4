import { expect, it } from 'vitest';

import { formats } from '../test/formats.ts';
import { names } from '../test/read-svg.ts';
import { byCategory } from '../test/samples.ts';
import { foldPlaces } from './fold.ts';
import { createPalette } from './palette.ts';
import { readChart } from './read-chart.ts';

const read = (tile: Partial<typeof byCategory>) =>
  readChart({ ...byCategory, ...tile }, createPalette([]), formats);
const fold = (tile: Partial<typeof byCategory>) => foldPlaces(read(tile), formats);
const namesOf = (tile: Partial<typeof byCategory>) => fold(tile).places.map(({ name }) => name);

it('25 bars are all drawn', () => {
  expect(namesOf({ groups: names(25) })).toHaveLength(25);
});

it('the middle of more bars is folded, and both ends stay', () => {
  const shown = namesOf({ groups: names(32) });
  expect(shown).toHaveLength(25);
  expect(shown.slice(11, 14)).toEqual(['Name 11', '8 more', 'Name 20']);
  expect([shown[0], shown.at(-1)]).toEqual(['Name 0', 'Name 31']);
});

it('values stay at their places, and the fold has none', () => {
  const { panels } = fold({ groups: names(32) });
  expect(panels[0]!.values[0]!.slice(11, 14)).toEqual([12, null, 21]);
});

it('the combined groups stay in sight', () => {
  const groups = [...names(30), { keys: [null], values: [-7], other: 9 }];
  expect(fold({ groups }).places.at(-1)).toMatchObject({ isOther: true });
});

it('bars of several series count for each of them', () => {
  const dimensions = [
    ...byCategory.dimensions,
    { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const,
  ];
  const groups = names(20).flatMap(({ keys, values }) =>
    ['West', 'East'].map((region) => ({ keys: [...keys, region], values })),
  );
  const tile = { dimensions, groups } as const;
  expect(fold({ ...tile, stack: 'stacked' }).places).toHaveLength(20);
  expect(fold({ ...tile, stack: 'grouped' }).places).toHaveLength(11);
});

it('columns are never folded', () => {
  expect(fold({ type: 'column', groups: names(60) }).places).toHaveLength(60);
});

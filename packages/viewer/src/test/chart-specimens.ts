import type { ChartTile, Group, ScatterTile } from '@portal-embed/report-model';

import type { Emphasis } from '../charts/emphasize.ts';
import { byCategory, byHour, byMonth, decimal, dollars, integer } from './samples.ts';

/** A chart to draw, and the circumstances of the drawing. */
export interface Specimen {
  tile: ChartTile | ScatterTile;
  /** In pixels, 480 if not given. */
  width?: number;
  panel?: number;
  isRightToLeft?: boolean;
  emphasisOf?: (place: number) => Emphasis;
}

const region = { role: 'color', dimension: { name: 'Region', kind: 'category' } } as const;
const year = { role: 'facet', dimension: { name: 'Year', kind: 'number' } } as const;
const sales = { name: 'Sales', format: dollars };
const orders = { name: 'Orders', format: integer };
const profit = { name: 'Profit', format: dollars };

const long = [
  'Copiers and fax machines',
  'Chairs',
  'Envelopes of recycled paper',
  'Telephones',
  'Bookcases of solid oak',
  'Paper',
];
/** The groups of names, with one value or several for each. */
const groupsOf = (names: readonly (string | null)[], ...columns: readonly (number | null)[][]) =>
  names.map((name, index): Group => ({
    keys: [name],
    values: columns.map((column) => column[index] ?? null),
  }));
/** Each name with each second key. */
const cross = (
  names: readonly (string | number)[],
  others: readonly (string | number)[],
  values: readonly number[],
) =>
  names.flatMap((name, row) =>
    others.map((other, column) => ({
      keys: [name, other],
      values: [values[row * others.length + column]!],
    })),
  );
const months = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2016, index)).toISOString().slice(0, 10),
  );
const days = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2016, 0, 1 + index)).toISOString().slice(0, 10),
  );
/** A sequence that looks irregular and is the same each time. */
const waves = (count: number) =>
  Array.from({ length: count }, (_, index) => 900 + ((index * 397) % 1_000));

const bars: ChartTile = { ...byCategory, metrics: [sales] };
const columns: ChartTile = { ...bars, type: 'column' };
const colored = [...bars.dimensions, region];
const faceted = [...bars.dimensions, year];
const sixValues = [14_300, 9_850, 120, 7_300.5, null, 21_000];
const bySeveral: ChartTile = { ...bars, metrics: [sales, profit] };
const line = (keys: readonly string[], ...values: (number | null)[][]): ChartTile => ({
  ...byMonth,
  metrics: [sales, profit].slice(0, values.length),
  groups: groupsOf(keys, ...values),
});

const byState: ScatterTile = {
  id: '0.0.0',
  type: 'scatter',
  title: 'States',
  width: 12,
  dimensions: [{ role: 'point', dimension: { name: 'State', kind: 'category' } }],
  metrics: [sales, profit],
  groups: groupsOf(['Ohio', 'Texas', 'Utah', 'Iowa'], [100, 900, 450, 700], [-20, 60, 10, -45]),
  groupCount: 4,
  shownCount: 4,
};

/** One specimen of each way in which charts are laid out. */
export const specimens: Record<string, Specimen> = {
  bars: { tile: { ...bars, groups: groupsOf(['A', 'Bc', 'Def', null], [10, 40, 25, 5]) } },
  'bars-with-long-names': { tile: { ...bars, groups: groupsOf(long, sixValues) } },
  'bars-on-a-phone': { tile: { ...bars, groups: groupsOf(long, sixValues) }, width: 320 },
  'bars-on-a-phone-from-right-to-left': {
    tile: { ...bars, groups: groupsOf(long, sixValues) },
    width: 320,
    isRightToLeft: true,
  },
  'bars-below-zero': { tile: { ...bars, groups: groupsOf(['A', 'B', 'C'], [-30, 40, -5]) } },
  'bars-with-large-values': {
    tile: { ...bars, groups: groupsOf(long, [9_876_543_210, 12_345_678_901, 1, 2, 3, 4]) },
    width: 240,
  },
  'bars-grouped': {
    tile: { ...bySeveral, stack: 'grouped', groups: groupsOf(['A', 'B'], [30, 20], [12, -6]) },
  },
  'bars-stacked': {
    tile: {
      ...bars,
      dimensions: colored,
      groups: cross(['A', 'B', 'C'], ['West', 'East'], [10, 20, -5, 8, 30, -12]),
    },
  },
  'bars-as-shares': {
    tile: {
      ...bars,
      stack: 'percent',
      dimensions: colored,
      groups: cross(['A', 'B', 'C'], ['West', 'East'], [10, 30, 5, 8, 30, 0]),
    },
  },
  'bars-with-a-cut': {
    tile: {
      ...bars,
      groups: [...groupsOf(['A', 'B'], [30, 20]), { keys: [null], values: [400], other: 17 }],
    },
  },
  'bars-stacked-with-others': {
    tile: {
      ...bars,
      dimensions: colored,
      groups: [
        ...cross(['A', 'B'], ['West', 'East'], [10, 20, 5, 8]),
        { keys: [null, 'West'], values: [300], other: 17 },
      ],
    },
  },
  'bars-as-shares-below-zero': {
    tile: {
      ...bars,
      stack: 'percent',
      dimensions: colored,
      groups: cross(['A', 'B'], ['West', 'East'], [10, 20, -5, 8]),
    },
  },
  'bars-as-shares-with-others': {
    tile: {
      ...bars,
      stack: 'percent',
      groups: [...groupsOf(['A', 'B'], [30, 20]), { keys: [null], values: [400], other: 17 }],
    },
  },
  'bars-of-two-units': {
    tile: { ...bars, metrics: [sales, orders], groups: groupsOf(['A', 'B'], [300, 20], [4, 9]) },
    panel: 1,
  },
  'bars-in-small-multiples': {
    tile: {
      ...bars,
      dimensions: faceted,
      groups: cross(['A', 'B'], [2016, 2017], [10, 70, 25, 40]),
    },
    panel: 0,
  },
  'bars-with-a-selection': {
    tile: { ...bars, groups: groupsOf(['A', 'B', 'C'], [10, 40, 25]) },
    emphasisOf: (place) => ({ isSelected: place === 1, isActive: place === 2 }),
  },
  columns: { tile: { ...columns, groups: groupsOf(['A', 'B', 'C'], [10, 40, 25]) } },
  'columns-with-turned-names': { tile: { ...columns, groups: groupsOf(long, sixValues) } },
  'columns-with-turned-names-from-right-to-left': {
    tile: { ...columns, groups: groupsOf(long, sixValues) },
    isRightToLeft: true,
  },
  'columns-by-number': { tile: { ...byHour, metrics: [{ name: 'Minutes', format: decimal }] } },
  'columns-by-month': {
    tile: {
      ...line(months(30), waves(30)),
      type: 'column',
      incompleteKey: months(30).at(-1)!,
    },
  },
  'columns-grouped': {
    tile: {
      ...bySeveral,
      type: 'column',
      stack: 'grouped',
      groups: groupsOf(['A', 'B'], [30, 20], [12, 6]),
    },
  },
  'columns-stacked': {
    tile: {
      ...columns,
      dimensions: colored,
      groups: cross(['A', 'B', 'C'], ['West', 'East', 'South'], [9, 8, 7, -6, 5, -4, 3, 2, 1]),
    },
  },
  'columns-as-shares': {
    tile: {
      ...columns,
      stack: 'percent',
      dimensions: colored,
      groups: cross(['A', 'B'], ['West', 'East'], [10, 30, 5, 8]),
    },
  },
  'columns-with-a-cut': {
    tile: {
      ...columns,
      groups: [...groupsOf(['A', 'B'], [30, 20]), { keys: [null], values: [400], other: 17 }],
    },
  },
  'columns-in-small-multiples': {
    tile: {
      ...columns,
      dimensions: faceted,
      groups: cross(['A', 'B', 'C'], [2016, 2017], [10, 70, 25, 40, 5, 6]),
    },
    panel: 1,
  },
  'columns-with-a-selection': {
    tile: { ...columns, groups: groupsOf(['A', 'B', 'C'], [10, 40, 25]) },
    emphasisOf: (place) => ({ isSelected: place === 1, isActive: place === 2 }),
  },
  line: { tile: line(months(14), waves(14)) },
  'line-of-two-metrics': { tile: line(months(24), waves(24), waves(24).toReversed()) },
  'line-of-two-units': {
    tile: { ...line(months(6), waves(6), [1, 2, 3, 4, 3, 2]), metrics: [sales, orders] },
    panel: 1,
  },
  'line-with-gaps': {
    tile: {
      ...line(months(9), [5, null, 7, 8, null, null, 3, 4, 6]),
      incompleteKey: months(9).at(-1)!,
    },
  },
  'line-of-many-months': { tile: line(months(72), waves(72)) },
  'line-of-many-days': {
    tile: {
      ...line(days(200), waves(200)),
      dimensions: [{ role: 'x', dimension: { name: 'Day', kind: 'time', grain: 'day' } }],
    },
    width: 400,
  },
  'line-by-number': {
    tile: {
      ...byHour,
      type: 'line',
      groups: [
        ...[3, 0, 12, 7].map((hour, index) => ({ keys: [hour], values: [index - 1.5] })),
        { keys: [null], values: [9] },
      ],
    },
  },
  'line-by-category': {
    tile: { ...bars, type: 'line', groups: groupsOf(['A', 'B', null, 'D'], [4, 9, 2, 6]) },
  },
  'line-by-category-with-others': {
    tile: {
      ...bars,
      type: 'line',
      groups: [...groupsOf(['A', 'B'], [4, 9]), { keys: [null], values: [90], other: 17 }],
    },
  },
  'line-by-large-number': {
    tile: {
      ...byHour,
      type: 'line',
      groups: [-2_000_000, -1_000_000, 0, 5].map((key) => ({ keys: [key], values: [key / 1e6] })),
    },
  },
  'line-with-a-selection': {
    tile: line(months(5), [4, 9, 2, 6, 5]),
    emphasisOf: (place) => ({ isSelected: place === 1, isActive: place === 3 }),
  },
  'line-from-right-to-left': { tile: line(months(14), waves(14)), isRightToLeft: true },
  area: { tile: { ...line(months(5), [4, 9, null, 6, 5]), type: 'area' } },
  'area-stacked': {
    tile: {
      ...byMonth,
      type: 'area',
      dimensions: [...byMonth.dimensions, region],
      incompleteKey: months(4).at(-1)!,
      groups: cross(months(4), ['West', 'East'], [1, 2, 3, 4, 5, 6, 7, 8]),
    },
  },
  'area-of-unsorted-months': {
    tile: { ...line(months(4).toReversed(), [1, 2, 3, 4]), type: 'area' },
  },
  'area-in-small-multiples': {
    tile: {
      ...byMonth,
      type: 'area',
      dimensions: [...byMonth.dimensions, year],
      groups: cross(months(4), [2016, 2017], [1, 2, 3, 4, 5, 6, 7, 8]),
    },
  },
  scatter: { tile: byState },
  'scatter-with-sizes': {
    tile: {
      ...byState,
      metrics: [sales, profit, orders],
      groups: byState.groups.map(({ keys, values }, index) => ({
        keys,
        values: [...values, [4, 100, null, 25][index]!],
      })),
    },
    emphasisOf: (place) => ({ isSelected: place === 1, isActive: place === 2 }),
  },
  'scatter-with-others': {
    tile: {
      ...byState,
      dimensions: [...byState.dimensions, region],
      groups: [
        ...byState.groups.map(({ keys, values }) => ({ keys: [...keys, 'West'], values })),
        { keys: ['Maine', 'East'], values: [300, null] },
        { keys: ['Idaho', null], values: [650, 30], otherColors: 2 },
      ],
    },
  },
  'scatter-in-small-multiples': {
    tile: {
      ...byState,
      dimensions: [...byState.dimensions, region, year],
      groups: byState.groups.map(({ keys, values }, index) => ({
        keys: [...keys, index < 3 ? 'West' : 'East', 2016 + (index % 2)],
        values: values.map((value) => Math.abs(Number(value))),
      })),
    },
    panel: 1,
  },
};

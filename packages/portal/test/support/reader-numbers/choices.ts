import type { CustomFilter } from '@portal-embed/contract';

import type { ReaderFilter, TileDrill, TileSearch } from '#viewer/requests';

import { donut, drilled } from './report.ts';
import { lastDay, type Row } from './rows.ts';

/** Days of the number and of the number before. Both ends count. */
interface Spans {
  now: [string, string];
  before: [string, string];
}

interface Mark {
  tile: string;
  keeps: (row: Row) => boolean;
  /** As `Choice.keepsAnyTime`. */
  keepsAnyTime?: (row: Row) => boolean;
}

/** What a reader has chosen, and the rows that remain. */
export interface Choice {
  name: string;
  filters?: ReaderFilter[];
  drills?: TileDrill[];
  searches?: TileSearch[];
  /** The host's filters. */
  host?: CustomFilter[];
  keeps: (row: Row) => boolean;
  /** What is searched in a table, which other tiles do not follow. */
  found?: { tile: string; keeps: (row: Row) => boolean };
  /** A selected mark, which does not filter its own tile. */
  mark?: Mark;
  secondMark?: Mark;
  /** Filters on the time move with the comparison, so they are in `spans` instead. */
  keepsAnyTime?: (row: Row) => boolean;
  spans?: Spans;
}

/** The comparison of a reader without filters on the time: 2024 until the time of the data. */
export const usualSpans: Spans = {
  now: ['2024-01-01', lastDay],
  before: ['2023-01-01', '2023-03-20'],
};

const all = () => true;
const isMarked = (region: string | null) => region === 'West' || region === 'East';
const isWithin =
  (from: string, to: string) =>
  ({ Ordered }: Row) =>
    Ordered >= from && Ordered <= to;

export const choices: readonly Choice[] = [
  {
    name: 'a search in a table',
    searches: [{ tile: '0.3.0', text: 'ES' }],
    keeps: all,
    found: {
      tile: '0.3.0',
      keeps: ({ Product, Region }) => `${Product}\n${Region ?? ''}`.toLowerCase().includes('es'),
    },
  },
  { name: 'no filter', keeps: all },
  {
    name: 'a list of values with blank',
    filters: [{ field: 'Region', values: ['West', null] }],
    keeps: ({ Region }) => Region === 'West' || Region === null,
  },
  {
    name: 'a range of dates',
    filters: [{ field: 'Ordered', values: ['2023-06-15..2024-01-31'] }],
    keeps: isWithin('2023-06-15', '2024-01-31'),
    keepsAnyTime: all,
    spans: { now: ['2024-01-01', '2024-01-31'], before: ['2023-01-01', '2023-01-31'] },
  },
  {
    name: 'a relative date',
    filters: [{ field: 'Ordered', values: ['last 3 months'] }],
    keeps: isWithin('2024-01-01', '2024-03-31'),
    keepsAnyTime: all,
  },
  {
    name: 'a range of numbers',
    filters: [{ field: 'Quantity', values: ['3..7'] }],
    keeps: ({ Quantity }) => Quantity >= 3 && Quantity <= 7,
  },
  {
    name: 'a selected mark',
    filters: [{ field: 'Group', values: ['Desks'], tile: donut }],
    keeps: all,
    mark: { tile: donut, keeps: ({ Group }) => Group === 'Desks' },
  },
  {
    name: 'a month of any year',
    filters: [{ field: 'Ordered', values: [2], grain: 'month of year', tile: '0.3.2' }],
    keeps: all,
    mark: { tile: '0.3.2', keeps: ({ Ordered }) => Ordered.slice(5, 7) === '02' },
  },
  {
    name: 'several marks',
    filters: [{ field: 'Group', values: ['Desks', 'Chairs'], tile: donut }],
    keeps: all,
    mark: { tile: donut, keeps: ({ Group }) => Group !== 'Lamps' },
  },
  {
    name: 'several marks of two dimensions',
    filters: [
      { field: 'Product', values: ['Desks 1'], tile: '0.3.0', mark: 0 },
      { field: 'Region', values: ['West'], tile: '0.3.0', mark: 0 },
      { field: 'Product', values: ['Chairs 2'], tile: '0.3.0', mark: 4 },
      { field: 'Region', values: [null], tile: '0.3.0', mark: 4 },
      { field: 'Group', values: ['Lamps', 'Desks'], tile: donut },
    ],
    keeps: all,
    mark: {
      tile: '0.3.0',
      keeps: ({ Product, Region }) =>
        (Product === 'Desks 1' && Region === 'West') || (Product === 'Chairs 2' && Region === null),
    },
    secondMark: { tile: donut, keeps: ({ Group }) => Group !== 'Chairs' },
  },
  {
    name: 'marks of regions in a year',
    filters: [
      { field: 'Region', values: ['West'], tile: '0.3.1', mark: 0 },
      { field: 'Ordered', values: ['2024-01-01'], grain: 'year', tile: '0.3.1', mark: 0 },
      { field: 'Region', values: ['East'], tile: '0.3.1', mark: 1 },
      { field: 'Ordered', values: ['2024-01-01'], grain: 'year', tile: '0.3.1', mark: 1 },
    ],
    keeps: all,
    mark: {
      tile: '0.3.1',
      keeps: ({ Region, Ordered }) => isMarked(Region) && Ordered >= '2024',
      keepsAnyTime: ({ Region }) => isMarked(Region),
    },
  },
  {
    name: 'a mark of another page that filters all pages',
    filters: [{ field: 'Group', values: ['Desks'], tile: '1.0.0', allPages: true }],
    keeps: ({ Group }) => Group === 'Desks',
  },
  {
    name: 'a mark of another page',
    filters: [{ field: 'Group', values: ['Desks'], tile: '1.0.0' }],
    keeps: all,
  },
  {
    name: 'a drilled chart that keeps its mark',
    drills: [{ tile: drilled, path: ['Chairs'] }],
    filters: [
      { field: 'Group', values: ['Chairs'], tile: drilled },
      { field: 'Product', values: ['Chairs 1', 'Chairs 3'], tile: drilled },
    ],
    keeps: all,
    mark: { tile: drilled, keeps: ({ Product }) => ['Chairs 1', 'Chairs 3'].includes(Product) },
  },
  {
    name: 'a drilled chart',
    drills: [{ tile: drilled, path: ['Chairs'] }],
    keeps: all,
  },
  {
    name: 'a filter of the host, which the reader cannot widen',
    host: [{ key: 'Orders/Region', value: 'East' }],
    filters: [{ field: 'Region', values: ['West', 'East'] }],
    keeps: ({ Region }) => Region === 'East',
  },
];

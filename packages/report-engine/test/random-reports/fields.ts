import type { FieldType, Grain } from '@portal-embed/report-model';

import { stageTime } from '../support/content.ts';
import type { Cell, Row } from './rows.ts';
import { listTextFields } from './text-functions.ts';

/** A field of the dataset, with what it means. */
export interface FieldSpec {
  name: string;
  type: FieldType;
  /** Absent for a column. */
  expression?: string;
  /** Values in their own order. Default: the usual order. */
  order?: (string | boolean)[];
  read: (row: Row, timeZone: string) => Cell;
}

const toNumber = (cell: bigint | null) => (cell === null ? null : Number(cell));

const finite = (cell: number | null) => (cell !== null && Number.isFinite(cell) ? cell : null);

const createClock = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of an instant. */
export function readClock(at: number, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? createClock(timeZone);
  clocks.set(timeZone, clock);
  const parts = clock.formatToParts(at);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${get('year')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}:${get('second')}`;
}

/** Rounds half away from zero. */
const round = (value: number, digits: number): number => {
  const power = 10 ** digits;
  return (Math.sign(value) * Math.floor(Math.abs(value) * power + 0.5)) / power;
};

const readDay = ({ Day }: Row) => (Day === 'infinity' ? null : Day);

const multiply = ({ Big, N }: Row) => (Big === null || N === null ? null : Number(Big) * Number(N));

export const fields: FieldSpec[] = [
  { name: 'Region', type: 'text', read: (row) => row.Region },
  { name: 'Owner', type: 'text', read: (row) => row.Owner },
  { name: 'Big', type: 'integer', read: (row) => row.Big },
  { name: 'N', type: 'integer', read: (row) => row.N },
  { name: 'Price', type: 'decimal', read: (row) => row.Price },
  { name: 'X', type: 'number', read: (row) => finite(row.X) },
  { name: 'Day', type: 'date', read: readDay },
  { name: 'Clock', type: 'datetime', read: (row) => row.Clock },
  {
    name: 'At',
    type: 'datetime',
    read: ({ At }, timeZone) => (At === null ? null : readClock(At, timeZone)),
  },
  { name: 'Open', type: 'boolean', read: (row) => row.Open },
  {
    name: 'Ratio',
    type: 'number',
    expression: 'N / (N - 2)',
    read: ({ N }) => (N === null || N === 2n ? null : Number(N) / (Number(N) - 2)),
  },
  {
    name: 'Product',
    type: 'number',
    expression: 'Big * N',
    read: multiply,
  },
  {
    name: 'Rest',
    type: 'number',
    expression: '-N % (N - 3)',
    read: ({ N }) => (N === null || N === 3n ? null : -Number(N) % (Number(N) - 3)),
  },
  {
    name: 'Rounded',
    type: 'number',
    expression: 'round(X)',
    read: ({ X }) => {
      const value = finite(X);
      return value === null ? null : round(value, 0);
    },
  },
  {
    name: 'Half',
    type: 'number',
    expression: 'round(N / 4 - 1, 1)',
    read: ({ N }) => (N === null ? null : round(Number(N) / 4 - 1, 1)),
  },
  {
    name: 'Label',
    type: 'text',
    expression: `case when N > 3 then 'high' when N is null then coalesce(Owner, 'none') else lower(Region) end`,
    read: ({ N, Owner, Region }) => {
      if (N === null) return Owner ?? 'none';
      return N > 3n ? 'high' : (Region?.toLowerCase() ?? null);
    },
  },
  {
    name: 'Level',
    type: 'text',
    expression: `case when N > 3 then 'high' when N > 1 then 'mid' when N = 1 then 'low' else Owner end`,
    order: ['low', 'mid', 'high'],
    read: ({ N, Owner }) => {
      if (N === null || N < 1n) return Owner;
      return N > 3n ? 'high' : N > 1n ? 'mid' : 'low';
    },
  },
  {
    name: 'Closed',
    type: 'boolean',
    expression: 'not Open',
    order: [true, false],
    read: ({ Open }) => (Open === null ? null : !Open),
  },
  {
    name: 'Joined',
    type: 'text',
    expression: `Region || '/' || Owner`,
    read: ({ Region, Owner }) => (Region === null || Owner === null ? null : `${Region}/${Owner}`),
  },
  {
    name: 'Quarter',
    type: 'date',
    expression: `date_trunc('quarter', Day)`,
    read: (row) => {
      const day = readDay(row);
      return day === null ? null : startOf(day, 'quarter');
    },
  },
  {
    name: 'Year',
    type: 'integer',
    expression: 'year(At)',
    read: ({ At }, timeZone) => (At === null ? null : BigInt(readClock(At, timeZone).slice(0, 4))),
  },
  {
    name: 'Sure',
    type: 'boolean',
    expression: `N > 2 or not Open or Region in ('West', 'é')`,
    read: ({ N, Open, Region }) => {
      if ((N ?? 0n) > 2n || Open === false || Region === 'West' || Region === 'é') return true;
      return N === null || Open === null || Region === null ? null : false;
    },
  },
  {
    name: 'Huge',
    type: 'boolean',
    expression: 'Big > 9007199254740992',
    read: ({ Big }) => (Big === null ? null : Big > 2n ** 53n),
  },
  ...listTextFields(readClock, stageTime),
];

/** The start of the period that has a time. */
export function startOf(time: string, grain: Grain): string {
  const month = Number(time.slice(5, 7));
  if (grain === 'year') return `${time.slice(0, 4)}-01-01`;
  if (grain === 'quarter')
    return `${time.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
  if (grain === 'month') return `${time.slice(0, 7)}-01`;
  if (grain === 'hour') return `${time.slice(0, 13)}:00:00`;
  if (grain !== 'week') return time.slice(0, 10);
  const day = new Date(time.slice(0, 10));
  const back = [6, 0, 1, 2, 3, 4, 5][day.getUTCDay()] ?? 0;
  return new Date(day.getTime() - back * 86_400_000).toISOString().slice(0, 10);
}

/** The place of a time in a longer period; Monday is 1. */
export function placeOf(time: string, grain: Grain): bigint {
  if (grain === 'month of year') return BigInt(time.slice(5, 7));
  if (grain === 'hour of day') return BigInt(time.slice(11, 13));
  return BigInt(new Date(time.slice(0, 10)).getUTCDay() || 7);
}

/** A metric of the dataset, with what it means. */
export interface MetricSpec {
  name: string;
  expression: string;
  /** Sums of doubles depend on their order, so groups are not sorted by them. */
  isExact: boolean;
  /** The value of no rows on a time axis. */
  empty: number | null;
  compute: (rows: readonly Row[]) => number | bigint | null;
  /** Decimals are in units of 0.0001. */
  type?: 'decimal';
}

const known = <Value>(values: readonly (Value | null)[]) =>
  values.filter((value) => value !== null) as Value[];

const sum = (values: readonly bigint[]) =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0n);

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;

function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined
    ? null
    : low + (high - low) * (place - Math.floor(place));
}

const numbersOf = (rows: readonly Row[]) => known(rows.map(({ N }) => toNumber(N)));
const doublesOf = (rows: readonly Row[]) => known(rows.map(({ X }) => finite(X)));

export const metrics: MetricSpec[] = [
  { name: 'Rows', expression: 'count()', isExact: true, empty: 0, compute: (rows) => rows.length },
  {
    name: 'Named',
    expression: 'count(X)',
    isExact: true,
    empty: 0,
    compute: (rows) => doublesOf(rows).length,
  },
  {
    name: 'Sum of big',
    expression: 'sum(Big)',
    isExact: true,
    empty: 0,
    compute: (rows) => sum(known(rows.map(({ Big }) => Big))),
  },
  {
    name: 'Sum of prices',
    expression: 'sum(Price)',
    isExact: true,
    empty: 0,
    type: 'decimal',
    compute: (rows) => sum(known(rows.map(({ Price }) => Price))),
  },
  {
    name: 'Largest',
    expression: 'max(Big)',
    isExact: true,
    empty: null,
    compute: (rows) => {
      const values = known(rows.map(({ Big }) => Big));
      return values.length === 0
        ? null
        : values.reduce((one, other) => (one > other ? one : other));
    },
  },
  {
    name: 'Largest product',
    expression: 'max(Big * N)',
    isExact: true,
    empty: null,
    compute: (rows) => {
      const values = known(rows.map(multiply));
      return values.length === 0 ? null : Math.max(...values);
    },
  },
  {
    name: 'Least',
    expression: 'min(X)',
    isExact: true,
    empty: null,
    compute: (rows) => {
      const values = doublesOf(rows);
      return values.length === 0 ? null : Math.min(...values);
    },
  },
  {
    name: 'Regions',
    expression: 'count_distinct(Region)',
    isExact: true,
    empty: 0,
    compute: (rows) => new Set(known(rows.map(({ Region }) => Region))).size,
  },
  {
    name: 'Mean',
    expression: 'avg(X)',
    isExact: false,
    empty: null,
    compute: (rows) => mean(doublesOf(rows)),
  },
  {
    name: 'Mean of integers',
    expression: 'avg(N)',
    isExact: false,
    empty: null,
    compute: (rows) => mean(numbersOf(rows)),
  },
  {
    name: 'Middle',
    expression: 'median(N)',
    isExact: false,
    empty: null,
    compute: (rows) => quantile(numbersOf(rows), 0.5),
  },
  {
    name: 'Ninth',
    expression: 'quantile(N, 0.9)',
    isExact: false,
    empty: null,
    compute: (rows) => quantile(numbersOf(rows), 0.9),
  },
  {
    name: 'Per region',
    expression: 'sum(N) / Regions - 1',
    isExact: false,
    empty: null,
    compute: (rows) => {
      const total = sum(known(rows.map(({ N }) => N)));
      const regions = new Set(known(rows.map(({ Region }) => Region))).size;
      return total === null || regions === 0 ? null : Number(total) / regions - 1;
    },
  },
  {
    name: 'Some',
    expression: 'case when Rows > 3 then sum(N) when Rows = 0 then -1 end',
    isExact: true,
    empty: -1,
    compute: (rows) => {
      if (rows.length === 0) return -1;
      return rows.length > 3 ? sum(known(rows.map(({ N }) => N))) : null;
    },
  },
];

/** The text of a decimal. */
export function writeDecimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(5, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

import type { Grain } from '@portal-embed/report-model';
import fc from 'fast-check';

import {
  fields,
  metrics,
  placeOf,
  startOf,
  writeDecimal,
  type FieldSpec,
  type MetricSpec,
} from './fields.ts';
import { compareValues } from './literals.ts';
import type { Cell, Row } from './rows.ts';

/** What a tile shows of the rows. `failure`: why a tile cannot be computed. */
export type Expected = Record<string, unknown> | { failure: { code: string; limit: number } };

/** A tile as a file writes it, and what it shows of the rows that a reader sees. */
export interface TileSpec {
  written: object;
  show: (rows: readonly Row[], timeZone: string) => Expected;
}

const periods: Grain[] = ['year', 'quarter', 'month', 'week', 'day', 'hour'];
const places: Grain[] = ['month of year', 'day of week', 'hour of day'];

interface Dimension {
  name: string;
  field: FieldSpec;
  grain?: Grain;
  read: (row: Row, timeZone: string) => Cell;
}

const withGrain = (field: FieldSpec, grain: Grain): Dimension => ({
  name: `${field.name} by ${grain}`,
  field,
  grain,
  read: (row, timeZone) => {
    const time = field.read(row, timeZone);
    if (typeof time !== 'string') return null;
    return places.includes(grain) ? placeOf(time, grain) : startOf(time, grain);
  },
});

function listGrains({ type }: FieldSpec): Grain[] {
  if (type !== 'date' && type !== 'datetime') return [];
  return [...periods, ...places].filter(
    (grain) => type === 'datetime' || !grain.startsWith('hour'),
  );
}

const withoutGrain = (field: FieldSpec): Dimension => ({
  name: field.name,
  field,
  read: field.read,
});

const dimensions: Dimension[] = fields.flatMap((field) =>
  [withoutGrain(field)].concat(listGrains(field).map((grain) => withGrain(field, grain))),
);

const compareKeys = (one: Cell, other: Cell, dimension?: Dimension): number => {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const { order = [] } = dimension?.field ?? {};
  const [first, second] = [one, other].map((key) => {
    const place = order.indexOf(key as string | boolean);
    return place === -1 ? order.length : place;
  });
  return first! - second! || compareValues(one, other);
};

const compareLists = (
  one: readonly Cell[],
  other: readonly Cell[],
  shown: readonly Dimension[],
): number =>
  one
    .map((key, index) => compareKeys(key, other[index] ?? null, shown[index]))
    .find((gap) => gap !== 0) ?? 0;

/** A key as the reader gets it. */
function showKey({ field, grain }: Dimension, key: Cell): unknown {
  if (typeof key !== 'bigint') return key;
  if (field.type === 'decimal' && !grain) return Number(writeDecimal(key));
  return String(Number(key)) === String(key) ? Number(key) : String(key);
}

function showValue(metric: MetricSpec, rows: readonly Row[]): unknown {
  const value = metric.compute(rows);
  if (typeof value !== 'bigint') return value;
  const text = metric.type === 'decimal' ? writeDecimal(value) : String(value);
  return text.replace(/\D/g, '').replace(/^0+/, '').length <= 15 || String(Number(text)) === text
    ? Number(text)
    : text;
}

interface Group {
  keys: Cell[];
  rows: Row[];
}

function groupBy(rows: readonly Row[], read: (row: Row) => Cell[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    // -0 and 0 are one key.
    const keys = read(row).map((key) => (key === 0 ? 0 : key));
    const name = keys.map((key) => `${typeof key} ${String(key)}`).join('\n');
    const group = groups.get(name) ?? { keys, rows: [] };
    group.rows.push(row);
    groups.set(name, group);
  }
  return [...groups.values()];
}

interface Order {
  metric?: MetricSpec;
  dimension?: number;
  isDescending: boolean;
}

function sortGroups(
  groups: readonly Group[],
  shown: readonly Dimension[],
  { metric, dimension = 0, isDescending }: Order,
) {
  const valueOf = ({ keys, rows }: Group): Cell =>
    metric ? metric.compute(rows) : (keys[dimension] ?? null);
  return groups.toSorted((one, other) => {
    const [first, second] = [valueOf(one), valueOf(other)];
    const gap = compareKeys(first, second, metric ? undefined : shown[dimension]);
    const isBlank = first === null || second === null;
    if (gap !== 0) return isDescending && !isBlank ? -gap : gap;
    return compareLists(one.keys, other.keys, shown);
  });
}

/** The most marks of a tile. */
const maxMarks = 10_000;

const isPeriod = ({ field, grain }: Dimension) =>
  grain ? periods.includes(grain) : field.type === 'date';

const isPlace = ({ grain }: Dimension) => grain !== undefined && places.includes(grain);

const isUnlimited = (dimension: Dimension) =>
  isPeriod(dimension) || isPlace(dimension) || dimension.field.type === 'datetime';

const hours: Partial<Record<Grain, number>> = { hour: 1, day: 24, week: 7 * 24 };

/** No longer period is shorter. */
const shortestMonth = 28 * 24;

/** All keys between the first and the last. A step is never longer than a period. */
function listTimes({ grain = 'day' }: Dimension, keys: readonly string[]): string[] {
  const sorted = keys.toSorted();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const step = (hours[grain] ?? shortestMonth) * 3_600_000;
  const parse = (text: string) => Date.parse(text.length === 10 ? text : `${text}Z`);
  const found = new Set<string>();
  for (let time = parse(first); time < parse(last) && found.size <= maxMarks; time += step)
    found.add(startOf(new Date(time).toISOString().slice(0, 19), grain));
  return [...found.add(last)];
}

const placeCounts: Partial<Record<Grain, [number, number]>> = {
  'month of year': [1, 12],
  'day of week': [1, 7],
  'hour of day': [0, 23],
};

function listPlaces({ grain }: Dimension): bigint[] {
  const [first, last] = placeCounts[grain ?? 'hour'] ?? [0, 0];
  return Array.from({ length: last - first + 1 }, (_, index) => BigInt(first + index));
}

interface Axis {
  dimension: Dimension;
  limit: number;
  order: Order;
}

interface Bucket {
  key: Cell;
  isOther: boolean;
}

const natural = ({ field: { type, order }, grain }: Dimension, metric: MetricSpec): Order =>
  !grain && (type === 'text' || type === 'boolean') && !order
    ? { metric, isDescending: true }
    : { isDescending: false };

/** The groups of a chart: the first axis is the one that `groupCount` is about. */
function showSeries(
  axes: readonly Axis[],
  shown: readonly MetricSpec[],
  rows: readonly Row[],
  timeZone: string,
): Expected {
  const ordered = axes.map(({ dimension, order, limit }) => {
    const groups = groupBy(rows, (row) => [dimension.read(row, timeZone)]);
    const keys = sortGroups(groups, [dimension], order).map(({ keys: [key = null] }) => key);
    return { all: keys, kept: keys.slice(0, limit) };
  });
  const bucketOf = (row: Row, index: number): Bucket => {
    const read = axes[index]?.dimension.read(row, timeZone) ?? null;
    const key = read === 0 ? 0 : read;
    const isOther = !ordered[index]?.kept.includes(key);
    return { key: isOther ? null : key, isOther };
  };
  const [x] = axes;
  const xs = ordered[0]?.kept ?? [];
  if (!x) return {};
  const isFilled = !x.order.metric && (isPeriod(x.dimension) || isPlace(x.dimension));
  const times = xs.filter((key) => typeof key === 'string');
  const filled = !isFilled
    ? xs
    : isPlace(x.dimension)
      ? rows.length > 0
        ? listPlaces(x.dimension)
        : []
      : times.length > 0
        ? listTimes(x.dimension, times)
        : [];
  const axisKeys = isFilled ? (x.order.isDescending ? filled.toReversed() : filled) : xs;
  const blank = isFilled && xs.includes(null) ? [null] : [];
  const xBuckets: Bucket[] = [
    ...[...axisKeys, ...blank].map((key) => ({ key, isOther: false })),
    ...((ordered[0]?.all.length ?? 0) > xs.length ? [{ key: null, isOther: true }] : []),
  ];
  const placed = rows.map((row) => ({
    row,
    names: axes.map((_axis, index) => nameOf(bucketOf(row, index))),
  }));
  const rowsByName = new Map<string, Row[]>();
  for (const { row, names } of placed) {
    const name = names.join('\n');
    rowsByName.set(name, [...(rowsByName.get(name) ?? []), row]);
  }
  const rest = ordered.slice(1).map(({ all, kept }) => {
    const buckets = kept.map((key): Bucket => ({ key, isOther: false }));
    return all.length > kept.length ? buckets.concat({ key: null, isOther: true }) : buckets;
  });
  const combinations = rest.reduce<Bucket[][]>(
    (found, buckets) => found.flatMap((each) => buckets.map((bucket) => [...each, bucket])),
    [[]],
  );
  // Only series with a row anywhere are shown.
  const seriesNames = new Set(placed.map(({ names }) => names.slice(1).join('\n')));
  const series = combinations.filter((buckets) => seriesNames.has(buckets.map(nameOf).join('\n')));
  if (isFilled && xBuckets.length - blank.length > maxMarks)
    return { failure: { code: 'too_many_periods', limit: maxMarks } };
  if (isFilled && (xBuckets.length - blank.length) * series.length > maxMarks)
    return { failure: { code: 'too_many_marks', limit: maxMarks } };
  const groups = xBuckets.flatMap((bucket) =>
    series.flatMap((buckets) => {
      const all = [bucket, ...buckets];
      const found = rowsByName.get(all.map(nameOf).join('\n'));
      if (!found && (!isFilled || bucket.key === null)) return [];
      const count = (index: number) =>
        (ordered[index]?.all.length ?? 0) - (ordered[index]?.kept.length ?? 0);
      const roleOf = (index: number) => (index === 1 ? 'otherColors' : 'otherFacets');
      return [
        {
          keys: all.map(({ key }, index) => showKey(axes[index]?.dimension ?? x.dimension, key)),
          values: shown.map((metric) => (found ? showValue(metric, found) : metric.empty)),
          ...Object.fromEntries(
            all.flatMap(({ isOther }, index) =>
              isOther ? [[index === 0 ? 'other' : roleOf(index), count(index)]] : [],
            ),
          ),
        },
      ];
    }),
  );
  return {
    groups,
    groupCount: ordered[0]?.all.length ?? 0,
    shownCount: xs.length,
  };
}

const nameOf = ({ key, isOther }: Bucket) => `${typeof key} ${String(key)} ${isOther}`;

const exact = metrics.filter(({ isExact }) => isExact);
const metric = fc.constantFrom(...metrics);
const exactMetric = fc.constantFrom(...exact);
const dimension = fc.constantFrom(...dimensions);
const side = fc.option(dimension, { nil: undefined, freq: 2 });

const kpi = metric.map((shown): TileSpec => ({
  written: { type: 'kpi', metric: shown.name },
  show: (rows) => ({ value: showValue(shown, rows) }),
}));

const chart = fc
  .record({
    type: fc.constantFrom('line', 'area', 'column', 'bar'),
    x: dimension,
    first: exactMetric,
    others: fc.array(metric, { maxLength: 2 }),
    color: side,
    facet: fc.oneof(fc.constant(undefined), side),
    limit: fc.integer({ min: 1, max: 20 }),
    sort: fc.constantFrom(undefined, 'x', '-x', 'y', '-y'),
  })
  .map(({ type, x, first, others, color, facet, limit, sort }): TileSpec => {
    const several = color ? [] : others.filter((each) => each !== first);
    const shown = [first, ...new Set(several)];
    const hasSort = type === 'column' || type === 'bar';
    const order: Order =
      hasSort && sort
        ? {
            ...(sort.endsWith('y') ? { metric: first } : {}),
            isDescending: sort.startsWith('-'),
          }
        : natural(x, first);
    const unused = facet === color ? undefined : facet;
    const axes: Axis[] = [
      { dimension: x, limit: isUnlimited(x) ? Infinity : limit, order },
      ...(color ? [{ dimension: color, limit: 10, order: natural(color, first) }] : []),
      ...(unused ? [{ dimension: unused, limit: 12, order: natural(unused, first) }] : []),
    ];
    return {
      written: {
        type,
        x: x.name,
        y: shown.map(({ name }) => name),
        ...(color ? { color: color.name } : {}),
        ...(unused ? { facet: unused.name } : {}),
        limit,
        ...(hasSort && sort ? { sort } : {}),
      },
      show: (rows, timeZone) => {
        const expected = showSeries(axes, shown, rows, timeZone);
        return color || !unused ? expected : renameOthers(expected);
      },
    };
  });

/** Without a color, the second axis is the facet. */
function renameOthers(expected: Expected): Expected {
  return JSON.parse(
    JSON.stringify(expected).replaceAll('"otherColors"', '"otherFacets"'),
  ) as Expected;
}

const donut = fc
  .tuple(dimension, exactMetric, fc.integer({ min: 1, max: 12 }))
  .map(([color, shown, limit]): TileSpec => ({
    written: { type: 'donut', color: color.name, metric: shown.name, limit },
    show: (rows, timeZone) =>
      showSeries(
        [{ dimension: color, limit, order: { metric: shown, isDescending: true } }],
        [shown],
        rows,
        timeZone,
      ),
  }));

const showGroups = (
  shown: readonly Dimension[],
  values: readonly MetricSpec[],
  groups: readonly Group[],
) =>
  groups.map(({ keys, rows }) => ({
    keys: keys.map((key, index) => showKey(shown[index] as Dimension, key)),
    values: values.map((each) => showValue(each, rows)),
  }));

const scatter = fc
  .record({
    dimensions: fc.uniqueArray(dimension, { minLength: 1, maxLength: 3 }),
    x: metric,
    y: exactMetric,
    size: fc.option(exactMetric, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 200 }),
  })
  .map(({ dimensions: [point, color, facet], x, y, size, limit }): TileSpec => {
    const shown = [point, color, facet].filter((each) => each !== undefined);
    const values = [x, y, ...(size ? [size] : [])];
    return {
      written: {
        type: 'scatter',
        point: point?.name,
        ...(color ? { color: color.name } : {}),
        ...(facet ? { facet: facet.name } : {}),
        x: x.name,
        y: y.name,
        ...(size ? { size: size.name } : {}),
        limit,
      },
      show: (rows, timeZone) => {
        const groups = sortGroups(
          groupBy(rows, (row) => shown.map(({ read }) => read(row, timeZone))),
          shown,
          { metric: size ?? y, isDescending: true },
        );
        return {
          groups: showGroups(shown, values, groups.slice(0, limit)),
          groupCount: groups.length,
        };
      },
    };
  });

interface TableOptions {
  totals: boolean;
  column: Dimension | MetricSpec | undefined;
  isDescending: boolean;
}

/** A table of all groups. `column` is the one that sorts it. */
function createTable(
  shown: readonly Dimension[],
  values: readonly MetricSpec[],
  { totals, column, isDescending }: TableOptions,
): TileSpec {
  const order: Order =
    column && 'compute' in column
      ? { metric: column, isDescending }
      : { dimension: shown.indexOf(column as Dimension), isDescending };
  return {
    written: {
      type: 'table',
      dimensions: shown.map(({ name }) => name),
      metrics: values.map(({ name }) => name),
      totals,
      ...(column ? { sort: `${isDescending ? '-' : ''}${column.name}` } : {}),
    },
    show: (rows, timeZone) => {
      const groups =
        shown.length === 0
          ? [{ keys: [], rows: [...rows] }]
          : groupBy(rows, (row) => shown.map(({ read }) => read(row, timeZone)));
      const sorted = column ? sortGroups(groups, shown, order) : groups;
      return {
        groups: showGroups(shown, values, sorted.slice(0, 1_000)),
        groupCount: groups.length,
        ...(totals && shown.length > 0
          ? { totals: values.map((each) => showValue(each, rows)) }
          : {}),
      };
    },
  };
}

/** A table with the values of a field and their numbers of rows. */
export const tableOf = (field: FieldSpec): TileSpec => {
  const column = withoutGrain(field);
  const options = { totals: false, column, isDescending: false };
  return createTable([column], metrics.slice(0, 1), options);
};

const table = fc
  .record({
    shown: fc.uniqueArray(dimension, { maxLength: 3 }),
    values: fc.uniqueArray(metric, { minLength: 1, maxLength: 3 }),
    totals: fc.boolean(),
    sort: fc.nat(),
    isDescending: fc.boolean(),
  })
  .map(({ shown, values, sort, ...options }): TileSpec => {
    const columns = [...shown, ...values.filter(({ isExact }) => isExact)];
    const column = columns[sort % Math.max(columns.length, 1)];
    return createTable(shown, values, { ...options, column });
  });

const maxPivotColumns = 100;

const pivot = fc
  .record({
    sides: fc.uniqueArray(dimension, { minLength: 2, maxLength: 4 }),
    ofColumns: fc.integer({ min: 1, max: 2 }),
    values: fc.uniqueArray(metric, { minLength: 1, maxLength: 2 }),
  })
  .map(({ sides, ofColumns: count, values }): TileSpec => {
    const columns = sides.slice(0, Math.min(count, sides.length - 1));
    const rowSides = sides.slice(columns.length);
    return {
      written: {
        type: 'pivot',
        rows: rowSides.map(({ name }) => name),
        columns: columns.map(({ name }) => name),
        metrics: values.map(({ name }) => name),
      },
      show: (rows, timeZone) => {
        const by = (shown: readonly Dimension[]) =>
          groupBy(rows, (row) => shown.map(({ read }) => read(row, timeZone))).toSorted(
            (one, other) => compareLists(one.keys, other.keys, shown),
          );
        const show = (shown: readonly Dimension[]) => showGroups(shown, values, by(shown));
        const columnCount = by(columns).length;
        if (columnCount > maxPivotColumns)
          return {
            failure: { code: 'too_many_columns', columns: columnCount, limit: maxPivotColumns },
          };
        const subtotals = rowSides.concat(rowSides.slice(0, 1)).flatMap((_, ofRows) =>
          [...columns.keys(), columns.length]
            .filter(
              (ofColumns) => ofRows % rowSides.length !== 0 || ofColumns % columns.length !== 0,
            )
            .map((ofColumns) => ({
              rows: ofRows,
              columns: ofColumns,
              groups: show([...rowSides.slice(0, ofRows), ...columns.slice(0, ofColumns)]),
            })),
        );
        return {
          groups: show([...rowSides, ...columns]),
          groupCount: by(rowSides).length,
          totals: {
            rows: show(rowSides),
            columns: show(columns),
            all: values.map((each) => showValue(each, rows)),
          },
          ...(subtotals.length > 0 && { subtotals }),
        };
      },
    };
  });

export const tile: fc.Arbitrary<TileSpec> = fc.oneof(
  kpi,
  { arbitrary: chart, weight: 5 },
  donut,
  scatter,
  { arbitrary: table, weight: 2 },
  pivot,
);

/** Whether two values are equal, up to what the order of a sum of doubles changes. */
export function isSame(actual: unknown, expected: unknown): boolean {
  if (typeof expected === 'number' && typeof actual === 'number')
    return Math.abs(actual - expected) <= 1e-9 * Math.max(1_000, Math.abs(expected));
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((each, index) => isSame(actual[index], each))
    );
  if (typeof expected === 'object' && expected !== null)
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(expected).every(([name, each]) =>
        isSame((actual as Record<string, unknown>)[name], each),
      ) &&
      ['other', 'otherColors', 'otherFacets', 'totals', 'subtotals', 'failure'].every(
        (name) => name in actual === name in expected,
      )
    );
  return actual === expected;
}

/** The demo's flights, with the fields and metrics that the cases name. */
export const dataset = {
  name: 'Flights',
  time: 'Departure',
  fields: [
    { name: 'Departure', expression: 'date' },
    {
      name: 'Punctuality',
      expression: `case when delay <= 0 then '1 on time' when delay <= 15 then '2 late' else '3 very late' end`,
    },
  ],
  metrics: [
    { name: 'Flights', expression: 'count()' },
    { name: 'Delay', expression: 'avg(delay)' },
    { name: 'Distance', expression: 'avg(distance)' },
    { name: 'Middle', expression: 'median(delay)' },
    { name: 'Routes', expression: `count_distinct(origin || '-' || destination)` },
  ],
};

/** What an analyst writes differently on each engine. */
export interface Dialect {
  from: string;
  day: string;
  week: string;
  month: string;
  hour: string;
  medianDelay: string;
}

export const dialects = {
  duckdb: {
    from: 'dataset',
    day: 'CAST(date AS DATE)',
    week: `CAST(date_trunc('week', date) AS DATE)`,
    month: `CAST(date_trunc('month', date) AS DATE)`,
    hour: 'hour(date)',
    medianDelay: 'median(delay)',
  },
  postgres: {
    from: 'flights',
    day: 'CAST(date AS DATE)',
    week: `CAST(date_trunc('week', date) AS DATE)`,
    month: `CAST(date_trunc('month', date) AS DATE)`,
    hour: 'extract(hour FROM date)',
    medianDelay: 'percentile_cont(0.5) WITHIN GROUP (ORDER BY delay)',
  },
  clickhouse: {
    from: 'flights',
    day: 'toDate(date)',
    week: 'toMonday(date)',
    month: 'toStartOfMonth(date)',
    hour: 'toHour(date)',
    // ClickHouse's own median is an approximation.
    medianDelay: 'quantileExactInclusive(0.5)(delay)',
  },
} satisfies Record<string, Dialect>;

export interface Case {
  title: string;
  tile: object;
  /** The rows of the reader's role. Default: all. */
  rows?: object;
  /** What an analyst would write. */
  sql: (dialect: Dialect) => string[];
}

const punctuality = `CASE WHEN delay <= 0 THEN '1 on time' WHEN delay <= 15 THEN '2 late' ELSE '3 very late' END`;
const inSpring = `date >= '2001-03-01 00:00:00' AND date < '2001-06-01 00:00:00'`;
const spring = { field: 'Departure', between: ['2001-03-01', '2001-05-31'] };

export const cases: Case[] = [
  {
    title: 'kpi',
    tile: { type: 'kpi', metric: 'Delay' },
    sql: ({ from }) => [`SELECT avg(delay) FROM ${from}`],
  },
  {
    title: 'kpi, a date range in the role',
    tile: { type: 'kpi', metric: 'Delay' },
    rows: spring,
    sql: ({ from }) => [`SELECT avg(delay) FROM ${from} WHERE ${inSpring}`],
  },
  {
    title: 'kpi, airports in the role',
    tile: { type: 'kpi', metric: 'Delay' },
    rows: { field: 'origin', in: ['ATL', 'ORD', 'DFW'] },
    sql: ({ from }) => [`SELECT avg(delay) FROM ${from} WHERE origin IN ('ATL', 'ORD', 'DFW')`],
  },
  {
    title: 'kpi with a sparkline',
    tile: { type: 'kpi', metric: 'Delay', sparkline: 'month' },
    sql: ({ from, month }) => [
      `SELECT avg(delay) FROM ${from}`,
      `SELECT ${month} AS m, avg(delay) FROM ${from} WHERE date IS NOT NULL GROUP BY m ORDER BY m`,
    ],
  },
  {
    title: 'kpi of distinct values',
    tile: { type: 'kpi', metric: 'Routes' },
    sql: ({ from }) => [`SELECT count(DISTINCT origin || '-' || destination) FROM ${from}`],
  },
  {
    title: 'line by day',
    tile: { type: 'line', x: 'Departure by day', y: 'Delay' },
    sql: ({ from, day }) => [`SELECT ${day} AS d, avg(delay) FROM ${from} GROUP BY d ORDER BY d`],
  },
  {
    title: 'line by day, a date range in the role',
    tile: { type: 'line', x: 'Departure by day', y: 'Delay' },
    rows: spring,
    sql: ({ from, day }) => [
      `SELECT ${day} AS d, avg(delay) FROM ${from} WHERE ${inSpring} GROUP BY d ORDER BY d`,
    ],
  },
  {
    title: 'area by week and punctuality',
    tile: { type: 'area', x: 'Departure by week', y: 'Flights', color: 'Punctuality' },
    sql: ({ from, week }) => [
      `SELECT ${week} AS w, ${punctuality} AS p, count(*) FROM ${from} GROUP BY GROUPING SETS ((w, p), (w), (p)) ORDER BY w, p`,
    ],
  },
  {
    title: 'column by hour of day',
    tile: { type: 'column', x: 'Departure by hour of day', y: 'Delay' },
    sql: ({ from, hour }) => [`SELECT ${hour} AS h, avg(delay) FROM ${from} GROUP BY h ORDER BY h`],
  },
  {
    title: 'bar of 15 airports and the others',
    tile: { type: 'bar', x: 'origin', y: 'Delay', limit: 15, sort: '-y' },
    sql: ({ from }) => [
      `SELECT origin, avg(delay) AS a, count(*) OVER () FROM ${from} GROUP BY origin ORDER BY a DESC NULLS LAST, origin LIMIT 15`,
      `SELECT avg(delay) FROM ${from} WHERE origin NOT IN (SELECT origin FROM ${from} GROUP BY origin ORDER BY avg(delay) DESC NULLS LAST, origin LIMIT 15)`,
    ],
  },
  {
    title: 'scatter of airports',
    tile: { type: 'scatter', point: 'origin', x: 'Distance', y: 'Delay', size: 'Flights' },
    sql: ({ from }) => [
      `SELECT origin, avg(distance), avg(delay), count(*) AS n FROM ${from} GROUP BY origin ORDER BY n DESC, origin LIMIT 1000`,
    ],
  },
  {
    title: 'donut by punctuality',
    tile: { type: 'donut', metric: 'Flights', color: 'Punctuality' },
    sql: ({ from }) => [
      `SELECT ${punctuality} AS p, count(*) AS n FROM ${from} GROUP BY p ORDER BY n DESC, p`,
    ],
  },
  {
    title: 'table of airports with totals',
    tile: {
      type: 'table',
      dimensions: ['origin'],
      metrics: ['Flights', 'Delay'],
      sort: '-Flights',
      totals: true,
    },
    sql: ({ from }) => [
      `SELECT origin, count(*) AS n, avg(delay) FROM ${from} GROUP BY GROUPING SETS ((origin), ()) ORDER BY n DESC, origin LIMIT 1001`,
    ],
  },
  {
    title: 'table of medians by airport',
    tile: { type: 'table', dimensions: ['origin'], metrics: ['Middle'], sort: 'origin' },
    sql: ({ from, medianDelay }) => [
      `SELECT origin, ${medianDelay} FROM ${from} GROUP BY origin ORDER BY origin LIMIT 1000`,
    ],
  },
  {
    title: 'pivot by punctuality and month',
    tile: {
      type: 'pivot',
      rows: ['Punctuality'],
      columns: ['Departure by month'],
      metrics: ['Flights', 'Delay'],
    },
    sql: ({ from, month }) => [
      `SELECT ${punctuality} AS p, ${month} AS m, count(*), avg(delay) FROM ${from} GROUP BY GROUPING SETS ((p, m), (p), (m), ()) ORDER BY p, m`,
    ],
  },
];

/** The demo's flights, with the fields and metrics that the cases name. */
export const dataset = {
  name: 'Flights',
  source: { file: 'flights.parquet' },
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

export interface Case {
  title: string;
  tile: object;
  /** The rows of the reader's role. Default: all. */
  rows?: object;
  /** What an analyst would write. */
  sql: string[];
}

const punctuality = `CASE WHEN delay <= 0 THEN '1 on time' WHEN delay <= 15 THEN '2 late' ELSE '3 very late' END`;
const month = `CAST(date_trunc('month', date) AS DATE)`;
const inSpring = `date >= TIMESTAMP '2001-03-01' AND date < TIMESTAMP '2001-06-01'`;
const spring = { field: 'Departure', between: ['2001-03-01', '2001-05-31'] };

export const cases: Case[] = [
  {
    title: 'kpi',
    tile: { type: 'kpi', metric: 'Delay' },
    sql: ['SELECT avg(delay) FROM dataset'],
  },
  {
    title: 'kpi, a date range in the role',
    tile: { type: 'kpi', metric: 'Delay' },
    rows: spring,
    sql: [`SELECT avg(delay) FROM dataset WHERE ${inSpring}`],
  },
  {
    title: 'kpi, airports in the role',
    tile: { type: 'kpi', metric: 'Delay' },
    rows: { field: 'origin', in: ['ATL', 'ORD', 'DFW'] },
    sql: [`SELECT avg(delay) FROM dataset WHERE origin IN ('ATL', 'ORD', 'DFW')`],
  },
  {
    title: 'kpi with a sparkline',
    tile: { type: 'kpi', metric: 'Delay', sparkline: 'month' },
    sql: [
      'SELECT avg(delay) FROM dataset',
      `SELECT ${month} AS m, avg(delay) FROM dataset WHERE date IS NOT NULL GROUP BY m ORDER BY m`,
    ],
  },
  {
    title: 'kpi of distinct values',
    tile: { type: 'kpi', metric: 'Routes' },
    sql: [`SELECT count(DISTINCT origin || '-' || destination) FROM dataset`],
  },
  {
    title: 'line by day',
    tile: { type: 'line', x: 'Departure by day', y: 'Delay' },
    sql: [`SELECT CAST(date AS DATE) AS d, avg(delay) FROM dataset GROUP BY d ORDER BY d`],
  },
  {
    title: 'line by day, a date range in the role',
    tile: { type: 'line', x: 'Departure by day', y: 'Delay' },
    rows: spring,
    sql: [
      `SELECT CAST(date AS DATE) AS d, avg(delay) FROM dataset WHERE ${inSpring} GROUP BY d ORDER BY d`,
    ],
  },
  {
    title: 'area by week and punctuality',
    tile: { type: 'area', x: 'Departure by week', y: 'Flights', color: 'Punctuality' },
    sql: [
      `SELECT CAST(date_trunc('week', date) AS DATE) AS w, ${punctuality} AS p, count(*) FROM dataset GROUP BY GROUPING SETS ((w, p), (w), (p)) ORDER BY w, p`,
    ],
  },
  {
    title: 'column by hour of day',
    tile: { type: 'column', x: 'Departure by hour of day', y: 'Delay' },
    sql: ['SELECT hour(date) AS h, avg(delay) FROM dataset GROUP BY h ORDER BY h'],
  },
  {
    title: 'bar of 15 airports and the others',
    tile: { type: 'bar', x: 'origin', y: 'Delay', limit: 15, sort: '-y' },
    sql: [
      'SELECT origin, avg(delay) AS a, count(*) OVER () FROM dataset GROUP BY origin ORDER BY a DESC NULLS LAST, origin LIMIT 15',
      'SELECT avg(delay) FROM dataset WHERE origin NOT IN (SELECT origin FROM dataset GROUP BY origin ORDER BY avg(delay) DESC NULLS LAST, origin LIMIT 15)',
    ],
  },
  {
    title: 'scatter of airports',
    tile: { type: 'scatter', point: 'origin', x: 'Distance', y: 'Delay', size: 'Flights' },
    sql: [
      'SELECT origin, avg(distance), avg(delay), count(*) AS n FROM dataset GROUP BY origin ORDER BY n DESC, origin LIMIT 1000',
    ],
  },
  {
    title: 'donut by punctuality',
    tile: { type: 'donut', metric: 'Flights', color: 'Punctuality' },
    sql: [`SELECT ${punctuality} AS p, count(*) AS n FROM dataset GROUP BY p ORDER BY n DESC, p`],
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
    sql: [
      'SELECT origin, count(*) AS n, avg(delay) FROM dataset GROUP BY GROUPING SETS ((origin), ()) ORDER BY n DESC, origin LIMIT 1001',
    ],
  },
  {
    title: 'table of medians by airport',
    tile: { type: 'table', dimensions: ['origin'], metrics: ['Middle'], sort: 'origin' },
    sql: ['SELECT origin, median(delay) FROM dataset GROUP BY origin ORDER BY origin LIMIT 1000'],
  },
  {
    title: 'pivot by punctuality and month',
    tile: {
      type: 'pivot',
      rows: ['Punctuality'],
      columns: ['Departure by month'],
      metrics: ['Flights', 'Delay'],
    },
    sql: [
      `SELECT ${punctuality} AS p, ${month} AS m, count(*), avg(delay) FROM dataset GROUP BY GROUPING SETS ((p, m), (p), (m), ()) ORDER BY p, m`,
    ],
  },
];

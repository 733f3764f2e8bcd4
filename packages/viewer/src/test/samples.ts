import type { ChartTile, ComputedPage, FormatOptions, KpiTile } from '@portal-embed/report-model';

import { emptyView } from '../report/filters/empty-view.ts';
import type { ReaderView } from '../requests/reader-view.ts';
import type { FrameView, TilesView, ViewerSession } from '../requests/viewer.ts';
import { writeView } from '../view-text.ts';

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

const organization = {
  id: '0d9c0000-0000-4000-8000-000000000001',
  name: 'Acme',
  homeUrl: null,
  logo: null,
};
export const overviewPath = `/organizations/${organization.id}`;
export const pathTo = ({ id }: { id: string }) => `${overviewPath}/reports/${id}`;

export const portalSession: ViewerSession = {
  bearer: 'the-bearer',
  path: overviewPath,
  organization,
  user: { name: 'Wendy West', email: 'west@acme.example' },
  viewedBy: null,
  display: { hideMenu: false, hideNavbar: false, hideSidebar: false },
  reportId: null,
  reports: [sales, flights],
  favorites: [],
  recent: [],
  view: null,
};

/** The state of the whole portal that the host keeps: a report, and the selected page. */
export const viewOf = (
  { id }: { id: string },
  pageIndex = 0,
  chosen: Partial<ReaderView> = {},
  frameView = '',
): string =>
  writeView(portalSession, {
    reportId: id,
    pageIndex,
    readerView: { ...emptyView, ...chosen },
    frameView,
  });

export const reportSession: ViewerSession = {
  ...portalSession,
  path: pathTo(sales),
  reportId: sales.id,
  reports: [sales],
};

export const west = { key: 'Orders/Region', value: 'West' };

export const dollars: FormatOptions = {
  style: 'currency',
  currency: 'USD',
  notation: 'standard',
  maximumFractionDigits: 0,
};
export const integer: FormatOptions = {
  style: 'decimal',
  notation: 'standard',
  maximumFractionDigits: 0,
};
export const decimal: FormatOptions = {
  style: 'decimal',
  notation: 'standard',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
};

export const byMonth: ChartTile = {
  id: '0.1.0',
  type: 'line',
  title: 'Sales by month',
  width: 6,
  dimensions: [{ role: 'x', dimension: { name: 'Month', kind: 'time', grain: 'month' } }],
  metrics: [{ name: 'Sales', format: dollars }],
  groupCount: 3,
  shownCount: 3,
  groups: [
    { keys: ['2017-10-01'], values: [100.4] },
    { keys: ['2017-11-01'], values: [300.6] },
    { keys: ['2017-12-01'], values: [null] },
  ],
};

export const byCategory: ChartTile = {
  ...byMonth,
  id: '0.1.1',
  title: 'Sales by category',
  type: 'bar',
  dimensions: [{ role: 'x', dimension: { name: 'Category', kind: 'category' } }],
  groups: [
    { keys: ['Technology'], values: [251_991.83] },
    { keys: ['Furniture'], values: [252_612.74] },
    { keys: [null], values: [12] },
  ],
};

export const byHour: ChartTile = {
  ...byMonth,
  id: '0.1.0',
  title: 'Delay by hour',
  type: 'column',
  dimensions: [{ role: 'x', dimension: { name: 'Hour', kind: 'number' } }],
  metrics: [{ name: 'Minutes', format: decimal }],
  groups: [
    { keys: [0], values: [-1.25] },
    { keys: [1], values: [7.5] },
    { keys: [null], values: [3] },
  ],
};

export const totalSales: KpiTile = {
  id: '0.0.0',
  type: 'kpi',
  title: 'Total sales',
  width: 12,
  metric: { name: 'Sales', format: dollars },
  value: 725_457.82,
};

/** A page with the given tiles in one row. */
export const pageOf = (...tiles: ComputedPage['rows'][number]): TilesView['page'] => ({
  index: 0,
  name: 'Overview',
  rows: [tiles],
});

export const salesView: TilesView = {
  kind: 'tiles',
  report: sales,
  filters: [],
  readerFilters: [],
  filterFields: [],
  unappliedFilters: [],
  unreadableFilters: [],
  rowCount: 3203,
  rowAccess: 'by-role',
  roles: ['West'],
  timeZone: 'UTC',
  pages: ['Overview'],
  page: pageOf(totalSales, byMonth, byCategory),
};
export const flightsView: TilesView = {
  ...salesView,
  report: flights,
  page: pageOf(
    {
      ...totalSales,
      title: 'Flights',
      metric: { name: 'Flights', format: integer },
      value: 3_000_000,
    },
    byHour,
  ),
};

/** A report in a frame of another product. */
export const framedView: FrameView = {
  kind: 'frame',
  report: flights,
  filters: [],
  unappliedFilters: [],
  rowAccess: 'by-role',
  roles: ['West'],
  platform: 'other',
  label: 'Other product',
  url: 'https://other.example/frame',
  token: 'the-token',
  // The clock of this browser is wrong.
  expiresAt: '2020-01-01T00:00:00.000Z',
  secondsLeft: 900,
  key: 'first',
  settings: { page: 'one' },
  filtersAreEnforced: true,
  canTakeAway: true,
};

/** A report with several pages, each with a different number. */
export const pagedView = (index: number): TilesView => ({
  ...salesView,
  pages: ['Overview', 'Products', 'Customers'],
  page: {
    ...pageOf({ ...totalSales, title: `Number of page ${index}`, value: 100 + index }),
    index,
  },
});

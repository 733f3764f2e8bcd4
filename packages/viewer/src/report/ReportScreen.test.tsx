import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import {
  byMonth,
  pageOf,
  portalSession,
  reportSession,
  sales,
  salesView,
  totalSales,
} from '../test/samples.ts';

beforeEach(resetWindow);
afterEach(() => {
  vi.useRealTimers();
});

const main = () => within(screen.getByRole('main'));
const report = () => document.querySelector('.report')!;
const content = () => document.querySelector('.report-content')!;
const skeletons = () => document.querySelectorAll('.skeleton').length;
const hidden = { hideNavbar: true, hideSidebar: true, hideMenu: true };

/** The report of `view`, shown. */
async function show(view: Partial<typeof salesView>, session = reportSession) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, ...view });
  const page = openViewer(session, api);
  await page.start();
  return page;
}

/** Holds the next answer until it is released. */
function holdAnswer({ viewReport }: ReturnType<typeof createSampleApi>) {
  let release!: () => void;
  viewReport.mockReturnValueOnce(
    new Promise((resolve) => {
      release = () => resolve(salesView);
    }),
  );
  return () => act(async () => release());
}

describe('a report that loads', () => {
  it('for the first time has placeholders and is busy', async () => {
    const api = createSampleApi();
    const answer = holdAnswer(api);
    const { viewer } = openViewer(reportSession, api);
    act(() => viewer.start());
    const refresh = screen.getByRole('button', { name: 'Refresh' });
    expect(skeletons()).toBe(3);
    expect(report()).toHaveAttribute('aria-busy', 'true');
    expect(content()).toHaveAttribute('data-stale', 'false');
    expect(refresh).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
    await answer();
    expect(skeletons()).toBe(0);
    expect(report()).toHaveAttribute('aria-busy', 'false');
    expect(refresh).toBeEnabled();
  });

  it('a report that is refreshed keeps its tiles, marked as stale', async () => {
    const page = await show({});
    const answer = holdAnswer(page.api);
    act(page.viewer.refresh);
    expect(content()).toHaveAttribute('data-stale', 'true');
    expect(screen.getByRole('button', { name: 'Print' })).toBeDisabled();
    expect(skeletons()).toBe(0);
    expect(screen.getByText('$725,458')).toBeVisible();
    await answer();
    expect(content()).toHaveAttribute('data-stale', 'false');
  });

  it('the menu bar has the time of the data', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-02T03:04:05.006Z') });
    await show({});
    const updated = screen.getByText('Updated', { exact: false });
    expect(updated).toHaveTextContent(/^Updated \d{1,2}:\d\d\s[AP]M$/);
    expect(updated.querySelector('time')).toHaveAttribute('datetime', '2026-01-02T03:04:05.006Z');
  });

  it('the time of data that came with the page is that of its opening', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-02T03:04:05.006Z') });
    const page = openViewer({ ...reportSession, view: salesView });
    await act(async () => page.viewer.preview());
    expect(page.viewer.getState().viewedAt).toEqual(new Date());
  });
});

describe('a report without rows', () => {
  it('names the filters as the reason if it has any', async () => {
    await show({ rowCount: 0, filters: [{ key: 'Region', value: 'West' }] });
    expect(main().getByText(/^No row that you may see matches the active filters/)).toBeVisible();
  });

  it('names the filters of the reader as the reason too', async () => {
    const filter = { field: 'Region', type: 'text' as const, values: ['West'] };
    await show({ rowCount: 0, readerFilters: [filter] });
    expect(main().getByText(/^No row that you may see matches the active filters/)).toBeVisible();
  });

  it('and filters says who can give access', async () => {
    await show({ rowCount: 0 });
    expect(main().getByText(/none of its rows are shared with you/)).toBeVisible();
  });

  it('a report with rows has no text about missing rows', async () => {
    await show({ rowCount: 1 });
    expect(main().queryByRole('heading', { name: 'No rows' })).toBeNull();
  });
});

describe('filters of a report', () => {
  it('a report without filters has neither a list of them nor a note', async () => {
    await show({});
    expect(main().queryByRole('list', { name: 'Active filters' })).toBeNull();
    expect(main().queryByRole('list', { name: 'Filters' })).toBeNull();
    expect(main().queryByRole('note')).toBeNull();
  });

  it('a filter is shown once, with the last part of its key, and the whole key as its title', async () => {
    const filter = { key: 'Sales/Orders/Region', value: 'West' };
    await show({ filters: [filter, filter, { key: 'Category', value: 'Chairs' }] });
    const chips = within(main().getByRole('list', { name: 'Active filters' }));
    const [first, second, ...others] = chips.getAllByRole('listitem');
    expect(first).toHaveTextContent(/^Region West \(cannot be changed\)$/);
    expect(first).toHaveAttribute('title', 'Sales/Orders/Region');
    expect(second).toHaveTextContent(/^Category Chairs \(cannot be changed\)$/);
    expect(others).toEqual([]);
  });

  it('a filter with several values is shown once', async () => {
    const valuesOf = (...values: string[]) => values.map((value) => ({ key: 'Region', value }));
    await show({ filters: valuesOf('West', 'East', 'West') });
    const chips = within(main().getByRole('list', { name: 'Active filters' }));
    expect(chips.getByRole('listitem')).toHaveTextContent(
      /^Region West or East \(cannot be changed\)$/,
    );
  });

  it('the note names each filter that was not applied', async () => {
    await show({ unappliedFilters: ['Planet', 'Moon'] });
    expect(main().getByRole('note')).toHaveTextContent(
      'Not applied: Planet and Moon. This report has no such column, so its numbers are not filtered by it.',
    );
  });

  it('the note names each filter whose value does not fit its column', async () => {
    await show({ rowCount: 0, unreadableFilters: [{ key: 'Orders/Date', value: 'soon' }] });
    expect(main().getByRole('note')).toHaveTextContent(
      'No row matches: Date “soon”. The column has values of another type, such as dates or numbers.',
    );
  });
});

describe('a report that cannot be shown', () => {
  const problem = new ServiceError('report_failed', { requestId: 'request-7' });

  it.each([
    ['with a menu bar', reportSession.display],
    ['without a menu bar', hidden],
  ])('a report that may no longer be opened has no name: %s', async (_, display) => {
    const api = createSampleApi();
    api.viewReport.mockRejectedValue(new ServiceError('report_not_accessible'));
    await openViewer({ ...reportSession, display }, api).start();
    expect(
      main().getByRole('heading', { level: 1, name: 'Report unavailable' }),
    ).toBeInTheDocument();
    expect(main().queryByRole('button', { name: 'Refresh' })).toBeNull();
    expect(main().getByRole('alert')).toHaveTextContent(
      /^You have no access to this reportAsk your administrator for access\.$/,
    );
    expect(skeletons()).toBe(0);
  });

  it('a problem has the id of its request, and is retried once at a time', async () => {
    const api = createSampleApi();
    api.viewReport.mockRejectedValueOnce(problem);
    await openViewer(reportSession, api).start();
    const alert = within(main().getByRole('alert'));
    expect(alert.getByText('Request request-7')).toBeVisible();
    const answer = holdAnswer(api);
    const retry = alert.getByRole('button', { name: 'Try again' });
    await userEvent.click(retry);
    expect(retry).toBeDisabled();
    await answer();
    expect(main().queryByRole('alert')).toBeNull();
    expect(api.viewReport).toHaveBeenCalledTimes(2);
  });

  it('a problem without the id of a request has no line for it', async () => {
    const api = createSampleApi();
    api.viewReport.mockRejectedValueOnce(new ServiceError('unreachable'));
    await openViewer(reportSession, api).start();
    expect(main().getByRole('alert')).toHaveTextContent(
      /^The portal could not be reachedCheck the connection, then try again\.Try again$/,
    );
  });
});

describe('the parts of a report', () => {
  it('tiles have the order of the report', async () => {
    await show({ page: pageOf(byMonth, totalSales) });
    const tiles = main().getAllByRole('region');
    expect(tiles.map((tile) => within(tile).getByRole('heading').textContent)).toEqual([
      'Sales by month',
      'Total sales',
    ]);
  });

  it('a report beside the sidebar has no button to the overview', async () => {
    const page = openViewer(portalSession);
    await page.start();
    await act(async () => page.viewer.open(sales.id));
    expect(main().getByText('$725,458')).toBeVisible();
    expect(main().queryByRole('button', { name: 'All reports' })).toBeNull();
  });

  it('a report without a description has no line for it', async () => {
    await show({ report: { ...sales, description: null } });
    expect(document.querySelector('.menu-description')).toBeNull();
  });
});

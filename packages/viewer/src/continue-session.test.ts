import { act, screen, waitFor } from '@testing-library/react';
import { ServiceError } from 'page-kit/service-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { emptyView } from './report/filters/empty-view.ts';
import { createSampleApi, openViewer, resetWindow } from './test/open-viewer.tsx';
import {
  flights,
  pathTo,
  portalSession,
  reportSession,
  sales,
  salesView,
  viewOf,
} from './test/samples.ts';

beforeEach(resetWindow);
afterEach(() => {
  vi.useRealTimers();
});

const ended = new ServiceError('session_required');
const single = (report: typeof flights) => ({
  ...reportSession,
  path: pathTo(report),
  reportId: report.id,
  reports: [report],
});
const isLoaded = (page: ReturnType<typeof openViewer>) =>
  waitFor(() => expect(page.viewer.getState().loading).toBe(false));

describe('a session that the host opens', () => {
  it('the report stays until the next session has data, and ready has the id of its open', async () => {
    const page = openViewer(reportSession);
    await page.start();
    page.sent.length = 0;
    let answer!: (view: typeof salesView) => void;
    page.api.viewReport.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    act(() => page.viewer.continueWith({ ...reportSession, bearer: 'next' }, 4));
    expect(page.viewer.getState()).toMatchObject({ loading: true, view: { rowCount: 3203 } });
    expect(page.typesSent()).toEqual(['view']);
    await act(async () => answer({ ...salesView, rowCount: 7, unappliedFilters: ['Planet'] }));
    expect(page.viewer.getState()).toMatchObject({ loading: false, view: { rowCount: 7 } });
    expect(page.sent.at(-1)).toEqual({ type: 'ready', id: 4, unappliedFilters: ['Planet'] });
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('data that comes with the next session is shown without a request', async () => {
    const page = openViewer(reportSession);
    await page.start();
    const asked = page.api.viewReport.mock.calls.length;
    const view = { ...salesView, rowCount: 8 };
    act(() => page.viewer.continueWith({ ...reportSession, view }, 5));
    await isLoaded(page);
    expect(page.viewer.getState().view).toEqual(view);
    expect(page.api.viewReport).toHaveBeenCalledTimes(asked);
  });

  it('a session for another report opens it at its top, without the data and the filters of the previous one', async () => {
    const page = openViewer(reportSession);
    await page.start();
    const filters = [{ field: 'Region', values: ['West'] }];
    act(() => page.viewer.changeView({ ...emptyView, filters }));
    await isLoaded(page);
    page.sent.length = 0;
    page.api.viewReport.mockReturnValueOnce(new Promise(() => {}));
    act(() => page.viewer.continueWith(single(flights), 6));
    expect(page.viewer.getState()).toMatchObject({
      reportId: flights.id,
      reports: [flights],
      view: null,
      viewedAt: null,
      readerView: emptyView,
    });
    expect(page.sent).toEqual([{ type: 'view', id: 6, view: '', scroll: 0 }]);
    expect(location.pathname).toBe(pathTo(flights));
    act(() => page.viewer.continueWith(single(flights), 7));
    await isLoaded(page);
    expect(window.scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
  });

  it('a session of the whole portal keeps the report that the reader has opened', async () => {
    const page = openViewer(portalSession);
    await page.start(viewOf(sales));
    act(() => page.viewer.continueWith({ ...portalSession, bearer: 'next' }, 8));
    await isLoaded(page);
    expect(page.viewer.getState()).toMatchObject({ reportId: sales.id, view: { rowCount: 3203 } });
    expect(page.sent.at(-1)).toMatchObject({ type: 'ready', id: 8 });
  });

  it('a session of the whole portal shows the overview if the user can no longer open the report', async () => {
    const page = openViewer(portalSession);
    await page.start(viewOf(sales));
    const asked = page.api.viewReport.mock.calls.length;
    act(() => page.viewer.continueWith({ ...portalSession, reports: [flights] }, 9));
    await isLoaded(page);
    expect(page.viewer.getState()).toMatchObject({ reportId: null, view: null });
    expect(screen.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
    expect(page.api.viewReport).toHaveBeenCalledTimes(asked);
    expect(page.sent.at(-1)).toEqual({ type: 'ready', id: 9, unappliedFilters: [] });
    expect(location.pathname).toBe(portalSession.path);
  });

  it('the next session removes a problem, and its own failure has its id', async () => {
    const api = createSampleApi();
    const failed = new ServiceError('report_failed');
    api.viewReport.mockRejectedValue(failed);
    const page = openViewer(reportSession, api);
    await page.start();
    expect(page.viewer.getState().problem).toBe(failed);
    act(() => page.viewer.continueWith(reportSession, 10));
    expect(page.viewer.getState().problem).toBeNull();
    await isLoaded(page);
    expect(page.sent.at(-1)).toEqual({ type: 'failed', id: 10, cause: 'report_failed' });
  });
});

describe('an ended session with a host', () => {
  const endSession = async () => {
    const page = openViewer(reportSession, createSampleApi(), async () => null, true);
    await page.start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    page.api.viewReport.mockRejectedValueOnce(ended);
    await act(async () => page.viewer.refresh());
    return page;
  };

  it('the data of an ended session stays for ten seconds', async () => {
    const page = await endSession();
    expect(page.sent.at(-1)).toEqual({ type: 'session-required', reason: 'session-ended' });
    act(() => void vi.advanceTimersByTime(9_999));
    expect(page.viewer.getState()).toMatchObject({ ended: false, view: { rowCount: 3203 } });
    act(() => void vi.advanceTimersByTime(1));
    expect(page.viewer.getState()).toMatchObject({ ended: true, view: null, loading: false });
    expect(screen.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  });

  it('the report stays if the host opens another session within ten seconds', async () => {
    const page = await endSession();
    await act(async () => page.viewer.continueWith({ ...reportSession, bearer: 'next' }, 2));
    act(() => void vi.advanceTimersByTime(60_000));
    expect(page.viewer.getState()).toMatchObject({ ended: false, view: { rowCount: 3203 } });
  });

  it('the report stays in another session, also if several requests have found the end of the first', async () => {
    const page = await endSession();
    page.api.viewReport.mockRejectedValueOnce(ended);
    await act(async () => page.viewer.refresh());
    await act(async () => page.viewer.continueWith({ ...reportSession, bearer: 'next' }, 2));
    act(() => void vi.advanceTimersByTime(60_000));
    expect(page.viewer.getState()).toMatchObject({ ended: false, view: { rowCount: 3203 } });
  });

  it('further requests do not keep the data of an ended session', async () => {
    const page = await endSession();
    act(() => void vi.advanceTimersByTime(9_000));
    page.api.viewReport.mockRejectedValueOnce(ended);
    await act(async () => page.viewer.refresh());
    act(() => void vi.advanceTimersByTime(1_000));
    expect(page.viewer.getState()).toMatchObject({ ended: true, view: null });
  });

  it('a session can follow after the data has been removed', async () => {
    const page = await endSession();
    act(() => void vi.advanceTimersByTime(10_000));
    await act(async () => page.viewer.continueWith({ ...reportSession, bearer: 'next' }, 2));
    expect(page.viewer.getState()).toMatchObject({ ended: false, view: { rowCount: 3203 } });
  });

  it('a viewer that stops does not remove the data of an ended session later', async () => {
    const page = await endSession();
    page.viewer.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a viewer that stops aborts its request and notifies no listener', async () => {
  const page = openViewer(reportSession);
  const listener = vi.fn<() => void>();
  let answer!: (view: typeof salesView) => void;
  page.api.viewReport.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  act(() => page.viewer.start());
  page.viewer.subscribe(listener);
  page.viewer.stop();
  expect(page.api.viewReport.mock.calls[0]![2].aborted).toBe(true);
  await act(async () => answer(salesView));
  page.viewer.refresh();
  expect(listener).not.toHaveBeenCalled();
});

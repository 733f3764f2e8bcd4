import { act, screen, waitFor } from '@testing-library/react';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { chartCode } from './chart-code.ts';
import type { ViewerSession } from './requests/viewer.ts';
import { createSampleApi, openViewer, resetWindow } from './test/open-viewer.tsx';
import {
  flights,
  flightsView,
  overviewPath,
  pathTo,
  portalSession,
  reportSession,
  sales,
  salesView,
  viewOf,
} from './test/samples.ts';

beforeEach(resetWindow);

const flightsSession: ViewerSession = {
  ...portalSession,
  path: pathTo(flights),
  reportId: flights.id,
  reports: [flights],
  view: flightsView,
};

/** Opens a session in a page of a host, and starts it. */
async function openInHost(session: ViewerSession) {
  const page = openViewer(session, createSampleApi(), async () => chartCode, true);
  await page.start();
  page.sent.length = 0;
  const continueWith = async (next: ViewerSession, id: number) => {
    act(() => page.viewer.continueWith(next, id));
    await waitFor(() => expect(page.viewer.getState().loading).toBe(false));
  };
  return { ...page, continueWith };
}

describe('another session of the same user', () => {
  it('the data that came with the session replaces the report without a request', async () => {
    const { continueWith, api, sent } = await openInHost(reportSession);
    api.viewReport.mockClear();
    await continueWith(
      { ...reportSession, view: { ...salesView, unappliedFilters: ['Planet'] } },
      7,
    );
    expect(api.viewReport).not.toHaveBeenCalled();
    expect(sent).toEqual([
      { type: 'view', id: 7, view: '', scroll: 0 },
      { type: 'ready', id: 7, unappliedFilters: ['Planet'] },
    ]);
  });

  it('the report stays visible while the session loads its data', async () => {
    const { viewer, api } = await openInHost(reportSession);
    api.viewReport.mockReturnValue(new Promise(() => {}));
    act(() => viewer.continueWith(reportSession, 7));
    expect(viewer.getState()).toMatchObject({ loading: true, problem: null, ended: false });
    expect(screen.getByText('$725,458')).toBeVisible();
  });

  it('another report removes the previous one, and starts at its top', async () => {
    const { continueWith, viewer, sent } = await openInHost(reportSession);
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(80);
    act(() => viewer.continueWith({ ...flightsSession, view: null }, 7));
    expect(viewer.getState()).toMatchObject({ view: null, viewedAt: null, reports: [flights] });
    await waitFor(() => expect(sent.map(({ type }) => type)).toContain('ready'));
    expect(location.pathname).toBe(pathTo(flights));
    expect(sent[0]).toEqual({ type: 'view', id: 7, view: '', scroll: 0 });
    expect(window.scrollTo).toHaveBeenCalledWith(0, 0);
    await continueWith(flightsSession, 8);
    expect(sent.at(-1)).toMatchObject({ type: 'ready', id: 8 });
    vi.restoreAllMocks();
  });

  it('a report that comes with its data replaces the previous one without a blank', async () => {
    const { viewer } = await openInHost(reportSession);
    let shown: unknown;
    act(() => {
      viewer.continueWith(flightsSession, 7);
      shown = viewer.getState().view;
    });
    expect(shown).not.toBeNull();
    expect(await screen.findByText('3,000,000')).toBeVisible();
    expect(screen.queryByText('$725,458')).toBeNull();
  });

  it('the reader stays in a report that the next session of the whole portal has', async () => {
    const { continueWith, viewer, api } = await openInHost(portalSession);
    act(() => viewer.open(flights.id));
    await waitFor(() => expect(viewer.getState().loading).toBe(false));
    await continueWith(portalSession, 7);
    expect(viewer.getState().reportId).toBe(flights.id);
    expect(api.viewReport).toHaveBeenCalledTimes(2);
    await continueWith({ ...portalSession, reports: [sales] }, 8);
    expect(viewer.getState()).toMatchObject({ reportId: null, view: null, reports: [sales] });
    expect(location.pathname).toBe(overviewPath);
  });

  it('a failure of the next session has the id of its open message', async () => {
    const { continueWith, api, sent } = await openInHost(reportSession);
    api.viewReport.mockRejectedValue(new ServiceError('report_failed'));
    await continueWith(reportSession, 7);
    expect(sent.at(-1)).toEqual({ type: 'failed', id: 7, cause: 'report_failed' });
  });

  it('a restored position that arrives after the next session changes only the scroll position', async () => {
    const { continueWith, viewer, api } = await openInHost(reportSession);
    await continueWith(reportSession, 7);
    api.viewReport.mockClear();
    act(() => viewer.start(viewOf(sales), 40));
    expect(window.scrollTo).toHaveBeenLastCalledWith(0, 40);
    expect(api.viewReport).not.toHaveBeenCalled();
  });
});

describe('an ended session in the page of a host', () => {
  const endSession = async () => {
    const page = await openInHost(reportSession);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('session_required'));
    act(page.viewer.refresh);
    await act(() => vi.advanceTimersByTimeAsync(9_999));
    expect(page.sent).toEqual([{ type: 'session-required', reason: 'session-ended' }]);
    expect(screen.getByText('$725,458')).toBeVisible();
    return page;
  };

  it('the report of an ended session is removed after ten seconds', async () => {
    const { viewer } = await endSession();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(viewer.getState()).toMatchObject({ ended: true, view: null });
    expect(document.body).not.toHaveTextContent('$725,458');
    await act(async () => viewer.continueWith({ ...reportSession, view: salesView }, 7));
    expect(viewer.getState()).toMatchObject({ ended: false, loading: false });
    expect(screen.getByText('$725,458')).toBeVisible();
  });

  it.each([
    [
      'another session',
      (page: Awaited<ReturnType<typeof endSession>>) => page.viewer.continueWith(reportSession, 7),
    ],
    ['the end of the viewer', (page: Awaited<ReturnType<typeof endSession>>) => page.viewer.stop()],
  ])('the report is not removed later after %s', async (_, next) => {
    const page = await endSession();
    await act(async () => next(page));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(page.viewer.getState().ended).toBe(false);
    expect(page.viewer.getState().view).not.toBeNull();
  });
});

it('a viewer that is stopped aborts its request and notifies no listener', async () => {
  const page = await openInHost(reportSession);
  let signal: AbortSignal | undefined;
  page.api.viewReport.mockImplementation((_id, _request, given) => {
    signal = given;
    return new Promise(() => {});
  });
  const listener = vi.fn<() => void>();
  act(page.viewer.refresh);
  page.viewer.subscribe(listener);
  page.viewer.stop();
  expect(signal?.aborted).toBe(true);
  page.viewer.continueWith(reportSession, 7);
  expect(listener).not.toHaveBeenCalled();
});

it('numbers are shown before the code of charts has loaded, and are not requested again', async () => {
  let load!: () => void;
  const page = openViewer(
    { ...reportSession, view: salesView },
    createSampleApi(),
    () => new Promise((resolve) => (load = () => resolve(chartCode))),
  );
  await act(async () => page.viewer.preview());
  expect(screen.getByText('$725,458')).toBeVisible();
  await page.start();
  expect(page.typesSent()).toEqual(['view', 'ready']);
  expect(document.querySelector('figure svg')).toBeNull();
  expect(screen.queryByRole('table')).toBeNull();
  await act(async () => load());
  expect(document.querySelectorAll('figure svg.plot')).toHaveLength(2);
  expect(page.api.viewReport).not.toHaveBeenCalled();
});

it('a session that comes before the start is shown, and the start requests nothing more', async () => {
  const page = openViewer(reportSession);
  act(() => page.viewer.continueWith(reportSession, 7));
  await waitFor(() => expect(page.typesSent()).toEqual(['view', 'ready']));
  await page.start();
  expect(page.api.viewReport).toHaveBeenCalledOnce();
});

it('a refresh marks the report as loading', async () => {
  const page = await openInHost(reportSession);
  page.api.viewReport.mockReturnValue(new Promise(() => {}));
  act(page.viewer.refresh);
  expect(page.viewer.getState().loading).toBe(true);
});

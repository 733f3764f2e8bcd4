import { act, screen, waitFor, within } from '@testing-library/react';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it, vi } from 'vitest';

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

const failWith = (code: ServiceError['code']) => {
  const api = createSampleApi();
  api.viewReport.mockRejectedValue(new ServiceError(code));
  return api;
};

beforeEach(resetWindow);

describe('navigation', () => {
  it('replaces the URL, adds no history entry and notifies the host', async () => {
    const page = openViewer(portalSession);
    await page.start();
    const entries = history.length;
    page.sent.length = 0;
    page.viewer.open(sales.id);
    expect(page.sent).toEqual([
      { type: 'navigated', path: pathTo(sales), reportId: sales.id },
      { type: 'view', view: viewOf(sales), scroll: 0 },
    ]);
    expect(location.pathname).toBe(pathTo(sales));
    expect(history.length).toBe(entries);
  });

  it('a report is requested with the intent open, and later with refresh', async () => {
    const page = openViewer(reportSession);
    await page.start();
    await page.refresh();
    await page.refresh();
    expect(page.api.viewReport.mock.calls.map(([, { intent }]) => intent)).toEqual([
      'open',
      'refresh',
      'refresh',
    ]);
  });

  it('opening another report removes the problem and the time of the previous one', async () => {
    const page = openViewer(portalSession);
    await page.start(viewOf(sales));
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('report_failed'));
    await page.refresh();
    expect(page.viewer.getState().viewedAt).not.toBeNull();
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    act(() => page.viewer.open(flights.id));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText('Updated', { exact: false })).toBeNull();
  });

  it('after a failed opening, a report is requested with the intent open again', async () => {
    const page = openViewer(reportSession, failWith('report_failed'));
    await page.start();
    await page.refresh();
    expect(page.api.viewReport.mock.calls.map(([, { intent }]) => intent)).toEqual([
      'open',
      'open',
    ]);
  });
});

it('the latest of two refreshes is shown even if an earlier response arrives later', async () => {
  const page = openViewer(reportSession);
  await page.start();
  const answers: (() => void)[] = [];
  const answer = (rowCount: number) =>
    page.api.viewReport.mockImplementationOnce(
      () => new Promise((resolve) => answers.push(() => resolve({ ...salesView, rowCount }))),
    );
  answer(1);
  answer(2);
  act(page.viewer.refresh);
  act(page.viewer.refresh);
  answers[1]?.();
  answers[0]?.();
  await waitFor(() => expect(page.viewer.getState().view).toMatchObject({ rowCount: 2 }));
  await Promise.resolve();
  expect(page.viewer.getState().view).toMatchObject({ rowCount: 2 });
  expect(page.api.viewReport.mock.calls[1]?.[2].aborted).toBe(true);
});

describe('an ended session', () => {
  it('removes the data, notifies the host and says what to do', async () => {
    const page = openViewer(reportSession);
    await page.start();
    page.api.viewReport.mockRejectedValue(new ServiceError('session_required'));
    await page.refresh();
    expect(page.sent.at(-1)).toEqual({ type: 'session-required', reason: 'session-ended' });
    expect(screen.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    expect(screen.getByRole('main')).toHaveClass('notice', { exact: true });
    expect(document.body).toHaveTextContent(/Open the report again/);
    expect(screen.getByText('Acme')).toBeVisible();
    expect(document.body).not.toHaveTextContent('$725,458');
    expect(page.viewer.getState().view).toBeNull();
  });
});

describe('a failure', () => {
  it.each([
    ['report_not_accessible', 'report_not_accessible'],
    ['filters_not_applied', 'filters_not_applied'],
    ['report_failed', 'report_failed'],
    ['unreachable', 'report_failed'],
  ] as const)('%s of a single report is reported to the host as %s', async (code, cause) => {
    const page = openViewer(reportSession, failWith(code));
    await page.start();
    expect(page.sent.at(-1)).toEqual({ type: 'failed', cause });
  });

  it('a failed refresh keeps the report shown and is not reported to the host', async () => {
    const page = openViewer(reportSession);
    await page.start();
    page.api.viewReport.mockRejectedValue(new ServiceError('report_failed'));
    await page.refresh();
    expect(screen.getByText('$725,458')).toBeVisible();
    const alert = within(screen.getByRole('alert'));
    expect(alert.getByRole('heading')).toHaveTextContent(/^The report could not be computed$/);
    expect(alert.getByText(/^Try again\. If the problem persists/)).toBeVisible();
    expect(alert.getByText('The report still shows the previous data.')).toBeVisible();
    expect(page.typesSent()).not.toContain('failed');
  });

  it('after a failed report, the whole portal stays usable', async () => {
    const page = openViewer(portalSession, failWith('report_failed'));
    await page.start();
    page.viewer.open(sales.id);
    await waitFor(() => expect(screen.getByRole('alert')).toBeVisible());
    expect(page.typesSent()).not.toContain('failed');
    expect(screen.getByRole('navigation', { name: 'Reports' })).toBeVisible();
  });

  it.each([
    ['one report', reportSession, [{ type: 'failed', cause: 'filters_not_applied' }]],
    ['the whole portal', portalSession, []],
  ])('refused filters remove the report: %s', async (_, session, sent) => {
    const page = openViewer(session);
    await page.start(viewOf(sales));
    await waitFor(() => expect(screen.getByText('$725,458')).toBeVisible());
    page.sent.length = 0;
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('filters_not_applied'));
    await page.refresh();
    expect(page.sent).toEqual(sent);
    expect(document.body).not.toHaveTextContent('$725,458');
    expect(screen.getByRole('alert')).toHaveTextContent('This report is not shown');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('after refused filters at the start, the whole portal stays usable', async () => {
    const page = openViewer(portalSession, failWith('filters_not_applied'));
    await page.start(viewOf(sales));
    expect(page.typesSent()).not.toContain('failed');
    expect(screen.getByRole('navigation', { name: 'Reports' })).toBeVisible();
  });

  it('the whole portal is ready even if its first report fails', async () => {
    const page = openViewer(portalSession, failWith('report_failed'));
    await page.start(viewOf(sales));
    expect(page.typesSent()).toEqual(['view', 'ready']);
  });

  it('the data and the entry of a revoked report are removed at once', async () => {
    const page = openViewer(portalSession);
    await page.start();
    page.viewer.open(sales.id);
    await waitFor(() => expect(screen.getByText('$725,458')).toBeVisible());
    page.api.viewReport.mockRejectedValue(new ServiceError('report_not_accessible'));
    await page.refresh();
    expect(document.body).not.toHaveTextContent('$725,458');
    expect(screen.queryByRole('button', { name: sales.name })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

it('a removed listener is not called', () => {
  const { viewer } = openViewer(reportSession);
  const listener = vi.fn<() => void>();
  const unsubscribe = viewer.subscribe(listener);
  act(() => viewer.start());
  expect(listener).toHaveBeenCalledOnce();
  unsubscribe();
  act(viewer.refresh);
  expect(listener).toHaveBeenCalledOnce();
});

describe('the overview', () => {
  it('refreshing the overview shows the reports that the user may open now', async () => {
    const page = openViewer(portalSession);
    await page.start();
    page.api.listReports.mockResolvedValueOnce({
      reports: [flights],
      favorites: [],
      recent: [],
    });
    await page.refresh();
    const cards = document.querySelectorAll('.card');
    expect([...cards].map((card) => card.textContent)).toEqual([flights.name]);
  });

  it.each([
    ['an answer', async () => ({ reports: [], favorites: [], recent: [] })],
    ['a failure', () => Promise.reject(new Error('aborted'))],
  ])('%s for the overview is ignored if a report was opened in the meantime', async (_, answer) => {
    const page = openViewer(portalSession);
    await page.start();
    let respond = () => {};
    page.api.listReports.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (respond = resolve));
      return answer();
    });
    act(page.viewer.refresh);
    page.api.viewReport.mockReturnValueOnce(new Promise(() => {}));
    act(() => page.viewer.open(sales.id));
    await act(async () => respond());
    expect(page.viewer.getState()).toMatchObject({
      loading: true,
      problem: null,
      reports: portalSession.reports,
    });
  });

  it('an overview that cannot be loaded shows the problem, and its retry removes it', async () => {
    const page = openViewer(portalSession);
    await page.start();
    page.api.listReports.mockRejectedValueOnce(new TypeError('a defect'));
    await page.refresh();
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('The portal could not answerTry again in a moment.');
    expect(page.viewer.getState().problem?.code).toBe('internal_error');
    act(() => within(alert).getByRole('button', { name: 'Try again' }).click());
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(page.api.listReports).toHaveBeenCalledTimes(2);
  });
});

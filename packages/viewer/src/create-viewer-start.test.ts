import { act, screen } from '@testing-library/react';
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

beforeEach(resetWindow);

describe('the ready message', () => {
  it('ready is sent with the unapplied filters once the tiles of a single report are in the document', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, unappliedFilters: ['Planet'] });
    const page = openViewer(reportSession, api);
    expect(page.sent).toEqual([]);
    await page.start();
    expect(screen.getByText('$725,458')).toBeVisible();
    expect(page.sent.filter(({ type }) => type === 'ready')).toEqual([
      { type: 'ready', unappliedFilters: ['Planet'] },
    ]);
  });

  it('ready is sent once the overview is in the document', async () => {
    const page = openViewer(portalSession);
    expect(page.sent).toEqual([]);
    await page.start();
    expect(page.typesSent()).toEqual(['view', 'ready']);
  });

  it('ready is not sent again after navigation or a refresh', async () => {
    const page = openViewer(portalSession);
    await page.start();
    page.viewer.open(sales.id);
    await page.refresh();
    expect(page.typesSent().filter((type) => type === 'ready')).toHaveLength(1);
  });

  it('after a failure, ready is sent once a refresh succeeds', async () => {
    const api = createSampleApi();
    api.viewReport.mockRejectedValueOnce(new ServiceError('unreachable'));
    const page = openViewer(reportSession, api);
    await page.start();
    expect(page.typesSent()).toEqual(['view', 'failed']);
    await page.refresh();
    expect(page.typesSent()).toEqual(['view', 'failed', 'ready']);
  });
});

describe('data embedded in the page', () => {
  it('embedded data is shown without a request, and a refresh requests it again', async () => {
    const page = openViewer({ ...reportSession, view: salesView });
    await page.start();
    expect(screen.getByText('$725,458')).toBeVisible();
    expect(page.typesSent()).toContain('ready');
    expect(page.api.viewReport).not.toHaveBeenCalled();
    await page.refresh();
    expect(page.api.viewReport).toHaveBeenCalledOnce();
  });

  it('embedded data is drawn before the host connects, and ready is sent afterwards', async () => {
    const page = openViewer({ ...reportSession, view: salesView });
    await act(async () => page.viewer.preview());
    expect(screen.getByText('$725,458')).toBeVisible();
    expect(page.sent).toEqual([]);
    await page.start();
    expect(page.typesSent()).toEqual(['view', 'ready']);
    expect(page.api.viewReport).not.toHaveBeenCalled();
  });
});

describe('a restored state', () => {
  it('opens its report with a single request', async () => {
    const page = openViewer(portalSession);
    await page.start(viewOf(flights));
    expect(page.api.viewReport.mock.calls.map(([id, request]) => [id, request])).toEqual([
      [flights.id, { intent: 'open', page: 0 }],
    ]);
    expect(location.pathname).toBe(pathTo(flights));
  });

  it.each([viewOf({ id: '99999999-0000-4000-8000-000000000009' }), 'https://evil.example/', '!'])(
    'the overview is shown if the user may not open the view, with a notice: %s',
    async (view) => {
      const page = openViewer(portalSession);
      await page.start(view, 300);
      expect(page.api.viewReport).not.toHaveBeenCalled();
      expect(page.viewer.getState().reportId).toBeNull();
      expect(screen.getByRole('note')).toHaveTextContent('The requested view is not shown.');
      expect(window.scrollTo).not.toHaveBeenCalled();
      await act(async () => page.viewer.open(sales.id));
      expect(screen.queryByRole('note')).toBeNull();
    },
  );

  it('never opens another report on a page of one report', async () => {
    const page = openViewer(reportSession);
    await page.start(viewOf(flights));
    expect(page.api.viewReport.mock.calls.map(([id]) => id)).toEqual([sales.id]);
  });

  it('the page scrolls to the restored position once it has data, and reports it unchanged until then', async () => {
    const page = openViewer(reportSession);
    const seen: unknown[] = [];
    vi.mocked(window.scrollTo).mockImplementation((...at) => {
      seen.push([at, screen.queryByText('$725,458')?.textContent, page.typesSent()]);
    });
    await page.start(viewOf(sales), 300);
    expect(page.sent[0]).toMatchObject({ type: 'view', scroll: 300 });
    expect(seen).toEqual([[[0, 300], '$725,458', ['view']]]);
    await page.refresh();
    expect(window.scrollTo).toHaveBeenCalledOnce();
  });

  it('the restored position does not apply to another report that the reader opens', async () => {
    const page = openViewer(portalSession);
    page.api.viewReport.mockReturnValueOnce(new Promise(() => {}));
    act(() => page.viewer.start(viewOf(sales), 300));
    act(() => page.viewer.open(flights.id));
    expect(await screen.findByText('3,000,000')).toBeVisible();
    expect(page.sent).toContainEqual({
      type: 'view',
      view: viewOf(flights),
      scroll: 0,
    });
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('without a host a scroll sends no state, and a host that connects late gets it', async () => {
    const page = openViewer(reportSession);
    await page.start();
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(80);
    page.sent.length = 0;
    page.viewer.handleScrolled();
    expect(page.sent).toEqual([]);
    await page.start();
    expect(page.sent).toEqual([{ type: 'view', view: '', scroll: 80 }]);
    vi.restoreAllMocks();
  });

  it('each scroll sends the state until the session ends', async () => {
    const page = openViewer(reportSession, createSampleApi(), async () => null, true);
    await page.start();
    vi.spyOn(window, 'scrollY', 'get').mockReturnValue(80);
    page.viewer.handleScrolled();
    expect(page.sent.at(-1)).toMatchObject({ type: 'view', scroll: 80 });
    page.api.viewReport.mockRejectedValue(new ServiceError('session_required'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    act(page.viewer.refresh);
    await act(async () => {});
    act(() => void vi.advanceTimersByTime(10_000));
    vi.useRealTimers();
    page.viewer.handleScrolled();
    expect(page.sent.at(-1)).toMatchObject({ type: 'session-required' });
    vi.restoreAllMocks();
  });

  it('is applied even if the host connects late', async () => {
    const page = openViewer(portalSession);
    await page.start();
    await page.start(viewOf(flights));
    expect(page.api.viewReport.mock.calls.map(([id]) => id)).toEqual([flights.id]);
  });

  it('a late host without a restored state causes no second request', async () => {
    const page = openViewer(reportSession);
    await page.start();
    await page.start();
    expect(page.api.viewReport).toHaveBeenCalledOnce();
  });
});

import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ViewerSession } from '../../wire/viewer.ts';
import { ServiceError } from '../shared/service-error.ts';
import { openViewer, resetWindow } from './test/open-viewer.tsx';
import { pathTo, portalSession, reportSession, sales, salesView, west } from './test/samples.ts';

beforeEach(() => {
  resetWindow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const failure = (code: ServiceError['code'] = 'report_failed') =>
  new ServiceError(code, { title: 'Why', advice: 'Wait.' });
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Opens a report and sets filters that fail to load. */
async function setFailingFilters(session: ViewerSession, problem = failure()) {
  const page = openViewer(session);
  await act(async () => page.viewer.start({ path: pathTo(sales), scroll: 0 }));
  page.sent.length = 0;
  page.api.viewReport.mockClear().mockRejectedValue(problem);
  await act(async () => page.viewer.receive({ type: 'set-filters', filters: [west] }));
  return page;
}

describe('filters that fail to load', () => {
  it.each([
    ['one report', reportSession],
    ['the whole portal', portalSession],
  ])(
    'are reported to the host, and to the reader beside the current data: %s',
    async (_, session) => {
      const page = await setFailingFilters(session);
      expect(page.sent).toEqual([{ type: 'failed', cause: 'report_failed' }]);
      expect(screen.getByText('$725,458')).toBeVisible();
      const alert = within(screen.getByRole('alert'));
      expect(alert.getByText(/the filters asked for since are not applied/)).toBeVisible();
    },
  );

  it('are retried three times, and the host is notified once they load', async () => {
    const page = await setFailingFilters(reportSession);
    await advance(2_000);
    expect(page.api.viewReport).toHaveBeenCalledTimes(2);
    page.api.viewReport.mockResolvedValueOnce(salesView);
    await advance(8_000);
    expect(page.typesSent()).toEqual(['failed', 'ready']);
    expect(screen.queryByRole('alert')).toBeNull();
    page.api.viewReport.mockClear();
    await act(async () => page.viewer.receive({ type: 'set-filters', filters: [] }));
    await advance(999_000);
    await advance(999_000);
    expect(page.api.viewReport).toHaveBeenCalledTimes(4);
    expect(page.typesSent()).toEqual(['failed', 'ready', 'failed']);
  });

  it('are not retried if that cannot help or other filters were set since', async () => {
    const page = await setFailingFilters(reportSession, failure('invalid_request'));
    await advance(999_000);
    expect(page.api.viewReport).toHaveBeenCalledOnce();
    page.api.viewReport.mockRejectedValueOnce(failure()).mockResolvedValue(salesView);
    await act(async () => page.viewer.receive({ type: 'set-filters', filters: [west] }));
    await act(async () => page.viewer.receive({ type: 'set-filters', filters: [] }));
    await advance(999_000);
    expect(page.api.viewReport).toHaveBeenCalledTimes(3);
  });

  it('filters that failed are requested again after 2, 8 and 30 seconds', async () => {
    const page = await setFailingFilters(reportSession);
    page.api.viewReport.mockClear();
    for (const [retries, pause] of [2_000, 8_000, 30_000].entries()) {
      await advance(pause - 1);
      expect(page.api.viewReport).toHaveBeenCalledTimes(retries);
      await advance(1);
      expect(page.api.viewReport).toHaveBeenCalledTimes(retries + 1);
    }
  });

  it.each([
    'unreachable',
    'internal_error',
    'database_unavailable',
    'overloaded',
    'rate_limited',
    'report_failed',
  ] as const)('filters are requested again after the failure %s', async (code) => {
    const page = await setFailingFilters(reportSession, failure(code));
    await advance(2_000);
    expect(page.api.viewReport).toHaveBeenCalledTimes(2);
  });
});

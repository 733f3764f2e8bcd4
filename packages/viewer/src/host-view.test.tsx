import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it } from 'vitest';

import { selectMarks } from './report/filters/change-view.ts';
import { emptyView } from './report/filters/empty-view.ts';
import { createSampleApi, openViewer, resetWindow } from './test/open-viewer.tsx';
import { flights, portalSession, reportSession, sales, salesView, viewOf } from './test/samples.ts';

beforeEach(resetWindow);

const west = { filters: [{ field: 'Region', values: ['West'] }] };
const westOfSales = viewOf(sales, 0, west);
const mark = { field: 'Order Date', values: ['2024-03-01'], grain: 'month' as const };

const viewsAsked = (page: ReturnType<typeof openViewer>) =>
  page.api.viewReport.mock.calls.map(([, { intent, view }]) => [intent, view?.filters]);
const viewsSent = (page: ReturnType<typeof openViewer>) =>
  page.sent.flatMap((message) => (message.type === 'view' ? [message.view] : []));

/** A service that refuses whatever the reader has chosen. */
function refuseChoices() {
  const api = createSampleApi();
  api.viewReport.mockImplementation(async (_, { view }) => {
    if (view) throw new ServiceError('invalid_request');
    return salesView;
  });
  return api;
}

describe('a view of the host', () => {
  it('the view is part of the first request, and comes back as it is', async () => {
    const page = openViewer({ ...reportSession, view: salesView });
    await page.start(westOfSales);
    expect(viewsAsked(page)).toEqual([['open', west.filters]]);
    expect(viewsSent(page)).toEqual([westOfSales]);
  });

  it('a view that the host sets later is shown in place, and so is the empty one', async () => {
    const page = openViewer(reportSession);
    await page.start();
    await act(async () => page.viewer.showView(westOfSales));
    await act(async () => page.viewer.showView(''));
    expect(viewsAsked(page)).toEqual([
      ['open', undefined],
      ['refresh', west.filters],
      ['refresh', undefined],
    ]);
    expect(viewsSent(page)).toEqual(['']);
  });

  it('a view that is shown already causes no request', async () => {
    const page = openViewer(reportSession);
    await page.start(westOfSales);
    await act(async () => page.viewer.showView(westOfSales));
    expect(page.api.viewReport).toHaveBeenCalledOnce();
  });

  it('a view of another report opens it in the whole portal', async () => {
    const page = openViewer(portalSession);
    await page.start();
    await act(async () => page.viewer.showView(viewOf(flights)));
    expect(page.viewer.getState()).toMatchObject({ reportId: flights.id });
    await act(async () => page.viewer.showView(''));
    expect(page.viewer.getState()).toMatchObject({ reportId: null, view: null });
  });

  it('a view that the service refuses leaves the report without choices, a notice, and the view as it is', async () => {
    const page = openViewer(reportSession, refuseChoices());
    await page.start(westOfSales);
    await screen.findByText('$725,458');
    expect(screen.getByRole('note')).toHaveTextContent('The report has changed');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(page.viewer.getState().readerView).toEqual(emptyView);
    expect(viewsAsked(page)).toEqual([
      ['open', west.filters],
      ['refresh', undefined],
    ]);
    expect(new Set(viewsSent(page))).toEqual(new Set([westOfSales]));
    await act(async () => page.viewer.showView(''));
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('a view of another session stays with a session of the same request, and ends with another one', async () => {
    const page = openViewer(reportSession);
    await page.start(westOfSales);
    await act(async () => page.viewer.continueWith({ ...reportSession, bearer: 'next' }, 2, ''));
    expect(page.viewer.getState().readerView.filters).toEqual(west.filters);
    const whole = viewOf(flights);
    await act(async () => page.viewer.continueWith(portalSession, 3, whole));
    expect(page.viewer.getState().reportId).toBe(flights.id);
  });
});

it('a view that the host sets after the end of the session causes no request', async () => {
  const page = openViewer(reportSession);
  await page.start();
  page.api.viewReport.mockRejectedValue(new ServiceError('session_required'));
  await page.refresh();
  page.api.viewReport.mockClear();
  await act(async () => page.viewer.showView(westOfSales));
  expect(page.api.viewReport).not.toHaveBeenCalled();
  expect(page.viewer.getState().ended).toBe(true);
});

describe('what the reader changes', () => {
  it('the host gets the view of each choice, and the empty one after a reset', async () => {
    const page = openViewer(reportSession);
    await page.start();
    await act(async () => page.viewer.changeView({ ...emptyView, ...west }));
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(viewsSent(page)).toEqual(['', westOfSales, '']);
  });

  it('a choice after a view of the host is another view', async () => {
    const page = openViewer(reportSession);
    await page.start(westOfSales);
    await act(async () => page.viewer.changeView(emptyView));
    expect(viewsSent(page)).toEqual([westOfSales, '']);
  });

  it('a choice removes the notice about a refused view of the host', async () => {
    const page = openViewer(reportSession);
    await page.start('!');
    expect(screen.getByRole('note')).toBeVisible();
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    await act(async () => page.viewer.changeView({ ...emptyView, ...west }));
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('a choice after a failed refresh removes the problem while the report loads', async () => {
    const page = openViewer(reportSession);
    await page.start();
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('report_failed'));
    await page.refresh();
    expect(screen.getByRole('alert')).toBeVisible();
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    await act(async () => page.viewer.changeView({ ...emptyView, ...west }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('a choice that the changed report refuses ends, and the host gets the view without it', async () => {
    const page = openViewer(reportSession, refuseChoices());
    await page.start();
    await act(async () => page.viewer.changeView({ ...emptyView, ...west }));
    expect(viewsSent(page)).toEqual(['', westOfSales, '']);
    expect(screen.getByRole('note')).toBeVisible();
  });

  it('the host gets each selection of marks, and its end', async () => {
    const page = openViewer(reportSession);
    await page.start();
    const selections = () => page.sent.filter(({ type }) => type === 'selected');
    const { changeView } = page.viewer;
    const selected = selectMarks({ ...emptyView, ...west }, '0.0.1', [[mark]]);
    await act(async () => changeView(selected));
    expect(selections()).toEqual([{ type: 'selected', ...mark }]);
    const next = selectMarks(selected, '0.0.1', [[{ ...mark, values: ['2024-04-01'] }]]);
    await act(async () => changeView(next));
    await act(async () => changeView({ ...next, filters: next.filters.slice(1) }));
    await act(async () => changeView(emptyView));
    expect(selections().slice(1)).toEqual([
      { type: 'selected', ...mark, values: ['2024-04-01'] },
      { type: 'selected', ...mark, values: [] },
    ]);
  });

  it('a mark of two fields is a selection of each, and only the changed one is sent again', async () => {
    const page = openViewer(reportSession);
    await page.start();
    const region = (value: string) => ({ field: 'Region', values: [value] });
    const select = (...filters: (typeof mark | ReturnType<typeof region>)[]) =>
      act(async () => page.viewer.changeView(selectMarks(emptyView, '0.0.1', [filters])));
    await select(mark, region('West'));
    await select(mark, region('East'));
    expect(page.sent.filter(({ type }) => type === 'selected')).toEqual([
      { type: 'selected', ...mark },
      { type: 'selected', ...region('West') },
      { type: 'selected', ...region('East') },
    ]);
  });

  it('a view of the host is no selection of the reader', async () => {
    const page = openViewer(reportSession);
    await page.start(viewOf(sales, 0, selectMarks(emptyView, '0.0.1', [[mark]])));
    expect(page.typesSent()).not.toContain('selected');
  });
});

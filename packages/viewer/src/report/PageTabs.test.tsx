import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import {
  flights,
  pagedView,
  portalSession,
  reportSession,
  sales,
  viewOf,
} from '../test/samples.ts';

beforeEach(resetWindow);

const api = () => {
  const paged = createSampleApi();
  paged.viewReport.mockImplementation(async (_id, { page = 0 }) => pagedView(page < 3 ? page : 0));
  return paged;
};
const selected = () => screen.getByRole('tab', { selected: true });
const pagesAsked = (page: ReturnType<typeof openViewer>) =>
  page.api.viewReport.mock.calls.map(([, request]) => [request.intent, request.page]);

async function openPaged(session = reportSession) {
  const page = openViewer(session, api());
  await page.start();
  return page;
}

describe('the pages of a report', () => {
  it('are tabs, and the panel has the name of the selected one', async () => {
    await openPaged();
    expect(screen.getByRole('tablist', { name: 'Pages' })).toBeVisible();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Products',
      'Customers',
    ]);
    expect(selected()).toHaveTextContent('Overview');
    expect(screen.getByRole('tabpanel', { name: 'Overview' })).toContainElement(
      screen.getByText('$100'),
    );
    expect(selected()).toHaveAttribute('aria-controls', screen.getByRole('tabpanel').id);
  });

  it('a report with one page has no tabs', async () => {
    await openViewer(reportSession).start();
    expect(screen.queryByRole('tablist')).toBeNull();
    expect(screen.queryByRole('tabpanel')).toBeNull();
  });

  it('a click on a tab refreshes the report with the numbers of that page', async () => {
    const page = await openPaged();
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    expect(await screen.findByText('$101')).toBeVisible();
    expect(screen.queryByText('$100')).toBeNull();
    expect(pagesAsked(page)).toEqual([
      ['open', 0],
      ['refresh', 1],
    ]);
  });

  it('while a page loads, no numbers of the previous one are shown', async () => {
    const page = await openPaged();
    page.api.viewReport.mockReturnValueOnce(new Promise(() => {}));
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    expect(selected()).toHaveTextContent('Products');
    expect(screen.queryByText('$100')).toBeNull();
    expect(document.querySelectorAll('.skeleton').length).toBeGreaterThan(0);
  });

  it('only the selected tab is in the tab order', async () => {
    await openPaged();
    const stops = screen.getAllByRole('tab').map((tab) => tab.tabIndex);
    expect(stops).toEqual([0, -1, -1]);
  });

  it.each([
    ['{ArrowRight}', 'Products'],
    ['{ArrowRight}{ArrowRight}', 'Customers'],
    ['{ArrowLeft}', 'Customers'],
    ['{End}', 'Customers'],
    ['{End}{ArrowRight}', 'Overview'],
    ['{End}{Home}', 'Overview'],
  ])('the keys %s select %s and focus it', async (keys, name) => {
    await openPaged();
    act(() => selected().focus());
    await userEvent.keyboard(keys);
    expect(selected()).toHaveTextContent(name);
    expect(selected()).toHaveFocus();
  });

  it.each([
    ['{ArrowLeft}', 'Products'],
    ['{ArrowRight}', 'Customers'],
  ])('from right to left, the key %s selects %s', async (keys, name) => {
    await openPaged();
    selected().style.direction = 'rtl';
    act(() => selected().focus());
    await userEvent.keyboard(keys);
    expect(selected()).toHaveTextContent(name);
  });

  it('the keys of the tabs do not scroll the page', async () => {
    await openPaged();
    expect(fireEvent.keyDown(selected(), { key: 'End' })).toBe(false);
  });

  it('tabs that do not fit scroll until the selected one is visible', async () => {
    // jsdom has no layout.
    const sizes = [
      vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (
        this: HTMLElement,
      ) {
        return 100 * screen.getAllByRole('tab').indexOf(this);
      }),
      vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100),
      vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(250),
    ];
    onTestFinished(() => {
      for (const size of sizes) size.mockRestore();
    });
    await openPaged();
    act(() => selected().focus());
    const list = screen.getByRole('tablist');
    for (const [key, scrollLeft] of [
      ['End', 50],
      ['ArrowLeft', 50],
      ['ArrowRight', 50],
      ['Home', 0],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      expect([key, list.scrollLeft]).toEqual([key, scrollLeft]);
    }
  });

  it('keys without a tab command keep their default action', async () => {
    await openPaged();
    expect(fireEvent.keyDown(selected(), { key: 'ArrowDown' })).toBe(true);
    expect(selected()).toHaveTextContent('Overview');
  });

  it('a click on the selected tab requests nothing', async () => {
    const page = await openPaged();
    await userEvent.click(selected());
    expect(page.api.viewReport).toHaveBeenCalledOnce();
  });

  it('a page that cannot be computed says so, without the numbers of another page', async () => {
    const page = await openPaged();
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('report_failed'));
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The report could not be computed');
    expect(alert).not.toHaveTextContent('from before');
    expect(screen.queryByText('$100')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('$101')).toBeVisible();
  });

  it('the problem of a page is gone while another page loads', async () => {
    const page = await openPaged();
    page.api.viewReport.mockRejectedValueOnce(new ServiceError('report_failed'));
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    await screen.findByRole('alert');
    page.api.viewReport.mockReturnValueOnce(new Promise(() => {}));
    await userEvent.click(screen.getByRole('tab', { name: 'Customers' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the selected page', () => {
  it('stays after a refresh and in another session of the same report', async () => {
    const page = await openPaged();
    await userEvent.click(screen.getByRole('tab', { name: 'Customers' }));
    await page.refresh();
    expect(screen.getByText('$102')).toBeVisible();
    act(() => page.viewer.continueWith({ ...reportSession, view: pagedView(0) }, 7));
    await waitFor(() => expect(page.viewer.getState().loading).toBe(false));
    expect(selected()).toHaveTextContent('Customers');
    expect(screen.getByText('$102')).toBeVisible();
    expect(pagesAsked(page).map(([, index]) => index)).toEqual([0, 2, 2, 2]);
  });

  it('is part of the state that the host keeps', async () => {
    const page = await openPaged();
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    expect(page.sent.at(-1)).toEqual({
      type: 'view',
      view: viewOf(sales, 1),
      scroll: 0,
    });
  });

  it('is restored with a single request', async () => {
    const page = openViewer(reportSession, api());
    await page.start(viewOf(sales, 2));
    expect(screen.getByText('$102')).toBeVisible();
    expect(pagesAsked(page)).toEqual([['open', 2]]);
  });

  it('is restored even if the data of the first page came with the document', async () => {
    const page = openViewer({ ...reportSession, view: pagedView(0) }, api());
    await act(async () => page.viewer.preview());
    await page.start(viewOf(sales, 2));
    expect(screen.getByText('$102')).toBeVisible();
    expect(pagesAsked(page)).toEqual([['refresh', 2]]);
  });

  it('the first page is selected if the report no longer has the selected one', async () => {
    const page = openViewer(reportSession, api());
    await page.start(viewOf(sales, 9));
    expect(selected()).toHaveTextContent('Overview');
    expect(page.viewer.getState().pageIndex).toBe(0);
  });

  it('a link to a page that the report lacks shows the first page, with a notice', async () => {
    const page = openViewer({ ...reportSession, view: pagedView(0) }, api());
    page.viewer.preview();
    await page.start(viewOf(sales, 9));
    expect(selected()).toHaveTextContent('Overview');
    expect(await screen.findByText('$100')).toBeVisible();
    expect(screen.getByRole('note')).toHaveTextContent('The requested view is not shown.');
  });

  it('a page that the reader selects replaces the view of the host, and removes its notice', async () => {
    const page = openViewer(reportSession, api());
    await page.start(viewOf(sales, 9));
    expect(await screen.findByRole('note')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Products' }));
    expect(page.sent.at(-1)).toEqual({ type: 'view', view: viewOf(sales, 1), scroll: 0 });
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('another report opens at its first page', async () => {
    const page = await openPaged(portalSession);
    await act(async () => page.viewer.open(sales.id));
    await userEvent.click(await screen.findByRole('tab', { name: 'Customers' }));
    await act(async () => page.viewer.open(flights.id));
    expect(selected()).toHaveTextContent('Overview');
    expect(page.api.viewReport.mock.lastCall![1]).toMatchObject({ intent: 'open', page: 0 });
  });
});

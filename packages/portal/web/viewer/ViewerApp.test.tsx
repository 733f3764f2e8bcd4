import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';

import { createSampleApi, openViewer, resetWindow } from '../test/open-viewer.tsx';
import { flights, portalSession, reportSession, sales, salesView } from '../test/samples.ts';

beforeEach(resetWindow);

const hide = (flags: Partial<typeof portalSession.display>) => ({
  ...portalSession.display,
  ...flags,
});
const sidebar = () => screen.queryByRole('navigation', { name: 'Reports' });
const main = () => within(screen.getByRole('main'));
const everything = { hideNavbar: true, hideSidebar: true, hideMenu: true };

describe('the whole portal', () => {
  it('names the organization and the user', async () => {
    await openViewer(portalSession).start();
    const navbar = screen.getByRole('banner');
    expect(navbar).toHaveTextContent('Acme');
    expect(navbar).toHaveTextContent('west@acme.example');
    expect(document.title).toBe('Acme');
  });

  it('lists the reports by workspace, marks the open one and titles the page after it', async () => {
    await openViewer(portalSession).start();
    const entries = within(sidebar()!);
    expect(entries.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
      'Aviation',
      'Retail',
    ]);
    await userEvent.click(entries.getByRole('button', { name: sales.name }));
    expect(await main().findByRole('heading', { level: 1, name: sales.name })).toBeVisible();
    expect(entries.getByRole('button', { current: 'page' })).toHaveTextContent(sales.name);
    expect(document.title).toBe(sales.name);
  });

  it('opens a report from its card, by keyboard alone', async () => {
    await openViewer(portalSession).start();
    main()
      .getByRole('button', { name: new RegExp(flights.name) })
      .focus();
    await userEvent.keyboard('{Enter}');
    expect(await main().findByText('3,000,000')).toBeVisible();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('scrolls to the top of a report that the reader opens', async () => {
    await openViewer(portalSession).start();
    await userEvent.click(main().getByRole('button', { name: new RegExp(flights.name) }));
    expect(window.scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
  });

  it('leads from a report to the overview and back without a sidebar and without a menu', async () => {
    await openViewer({ ...portalSession, display: everything }).start();
    await userEvent.click(main().getByRole('button', { name: new RegExp(sales.name) }));
    await userEvent.click(await main().findByRole('button', { name: 'All reports' }));
    expect(main().getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  });

  it('says so when no report is shared with the user', async () => {
    await openViewer({ ...portalSession, reports: [] }).start();
    expect(main().getByRole('heading', { name: 'No reports' })).toBeVisible();
  });

  it('keeps the sidebar behind a button that says whether it is open', async () => {
    await openViewer(portalSession).start();
    const toggle = within(sidebar()!).getByRole('button', { name: 'Reports', hidden: true });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await userEvent.click(within(sidebar()!).getByRole('button', { name: flights.name }));
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
  });
});

describe('one report', () => {
  it('offers that report alone', async () => {
    await openViewer(reportSession).start();
    const names = within(sidebar()!)
      .getAllByRole('button')
      .map((button) => button.textContent);
    expect(names).toEqual(['Reports', sales.name]);
  });

  it.each([hide({ hideSidebar: true }), everything])(
    'has no way to an overview: %j',
    async (display) => {
      await openViewer({ ...reportSession, display }).start();
      expect(main().getByText('$725,458')).toBeVisible();
      expect(screen.queryByRole('button', { name: 'All reports' })).toBeNull();
    },
  );

  it('shows name, description and the filters in force, and refreshes on demand', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({
      ...salesView,
      filters: [
        { key: 'Orders/Region', value: 'West' },
        { key: 'Orders/Region', value: 'East' },
        { key: 'Planet', value: 'Mars' },
      ],
      unappliedFilters: ['Planet'],
    });
    await openViewer(reportSession, api).start();
    expect(main().getByText('Order lines of a retailer')).toBeVisible();
    const chips = main().getByRole('list', { name: 'Filters in force' });
    expect(chips).toHaveTextContent('Region West or East');
    expect(chips).not.toHaveTextContent('Planet');
    expect(main().getByRole('note')).toHaveTextContent('Not applied: Planet.');
    await userEvent.click(main().getByRole('button', { name: 'Refresh' }));
    expect(api.viewReport).toHaveBeenCalledTimes(2);
  });

  it('names filters that were not applied even when the menu is hidden', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, unappliedFilters: ['Planet'] });
    await openViewer({ ...reportSession, display: everything }, api).start();
    expect(main().getByRole('note')).toHaveTextContent('Not applied: Planet.');
  });

  it('shows "No rows" in place of tiles when none are left', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, rowCount: 0 });
    await openViewer(reportSession, api).start();
    expect(main().getByRole('heading', { name: 'No rows' })).toBeVisible();
    expect(main().queryByText('Total sales')).toBeNull();
    expect(main().queryByRole('figure')).toBeNull();
  });

  it('tells screen readers that it loads and that it is there', async () => {
    const page = openViewer(reportSession);
    expect(screen.getByRole('status')).toHaveTextContent('Loading…');
    await page.start();
    expect(screen.getByRole('status')).toHaveTextContent('Superstore sales is up to date');
  });

  it('does not take the focus when it opens', async () => {
    await openViewer(reportSession).start();
    expect(document.body).toHaveFocus();
  });
});

describe('hidden bars', () => {
  it('hideNavbar takes the navigation bar away and nothing else', async () => {
    await openViewer({ ...reportSession, display: hide({ hideNavbar: true }) }).start();
    expect(screen.queryByText('west@acme.example')).toBeNull();
    expect(sidebar()).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  });

  it('hideSidebar takes the sidebar away and nothing else', async () => {
    await openViewer({ ...reportSession, display: hide({ hideSidebar: true }) }).start();
    expect(sidebar()).toBeNull();
    expect(screen.getByText('west@acme.example')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  });

  it('hideMenu takes the menu bar away and nothing else', async () => {
    await openViewer({ ...reportSession, display: hide({ hideMenu: true }) }).start();
    expect(screen.queryByRole('button', { name: 'Refresh' })).toBeNull();
    expect(screen.queryByText('Order lines of a retailer')).toBeNull();
    expect(sidebar()).toBeVisible();
    expect(screen.getByText('west@acme.example')).toBeVisible();
    expect(main().getByRole('heading', { level: 1, name: sales.name })).toBeInTheDocument();
  });
});

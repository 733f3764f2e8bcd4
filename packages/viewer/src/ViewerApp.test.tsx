import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import german from 'page-kit/messages/de.json';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { renderFirstPage } from './first-page.tsx';
import { createSampleApi, openViewer, resetWindow } from './test/open-viewer.tsx';
import { flights, portalSession, reportSession, sales, salesView, viewOf } from './test/samples.ts';

beforeEach(resetWindow);

const hide = (flags: Partial<typeof portalSession.display>) => ({
  ...portalSession.display,
  ...flags,
});
const sidebar = () => screen.queryByRole('navigation', { name: 'Reports' });
const main = () => within(screen.getByRole('main'));
const hideAll = { hideNavbar: true, hideSidebar: true, hideMenu: true };

describe('the whole portal', () => {
  it('the navigation bar shows the organization and the user', async () => {
    await openViewer(portalSession).start();
    const navbar = screen.getByRole('banner');
    expect(navbar).toHaveTextContent('Acme');
    expect(navbar).toHaveTextContent('west@acme.example');
    expect(document.title).toBe('Acme');
    expect(navbar.querySelector('.navbar-mark')).toHaveTextContent(/^A$/);
  });

  it('the navigation bar shows the logo of the organization, if there is one', async () => {
    const logo = 'data:image/png;base64,AAAA';
    const organization = { ...portalSession.organization, logo };
    await openViewer({ ...portalSession, organization }).start();
    const navbar = screen.getByRole('banner');
    expect(navbar.querySelector('img')).toHaveAttribute('src', logo);
    expect(navbar.querySelector('.navbar-mark')).toBeNull();
  });

  it('the server-rendered page is removed when the portal is shown', async () => {
    const firstPage = document.createElement('div');
    firstPage.id = 'first-page';
    document.body.append(firstPage);
    onTestFinished(() => firstPage.remove());
    await openViewer(portalSession).start();
    expect(firstPage).not.toBeInTheDocument();
  });

  it('the sidebar lists reports by workspace and marks the open one, which names the page', async () => {
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

  it('a card opens its report with the keyboard alone', async () => {
    await openViewer(portalSession).start();
    main()
      .getByRole('button', { name: new RegExp(`^${flights.name}`) })
      .focus();
    await userEvent.keyboard('{Enter}');
    expect(await main().findByText('3,000,000')).toBeVisible();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('a report that the reader opens starts at its top', async () => {
    await openViewer(portalSession).start();
    await userEvent.click(main().getByRole('button', { name: new RegExp(`^${flights.name}`) }));
    expect(window.scrollTo).toHaveBeenCalledExactlyOnceWith(0, 0);
  });

  it('without a sidebar and menu, a report has a link to the overview', async () => {
    await openViewer({ ...portalSession, display: hideAll }).start();
    await userEvent.click(main().getByRole('button', { name: new RegExp(`^${sales.name}`) }));
    await userEvent.click(await main().findByRole('button', { name: 'All reports' }));
    expect(main().getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  });

  it('the overview shows "No reports" if no report is shared with the user', async () => {
    await openViewer({ ...portalSession, reports: [] }).start();
    expect(main().getByRole('heading', { name: 'No reports' })).toBeVisible();
    expect(main().getAllByRole('heading', { level: 2 })).toHaveLength(1);
  });

  it('a button toggles the sidebar and exposes its state', async () => {
    await openViewer(portalSession).start();
    const toggle = within(sidebar()!).getByRole('button', { name: 'Reports', hidden: true });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'true');
    const controlled = document.getElementById(toggle.getAttribute('aria-controls')!);
    expect(controlled).toHaveAttribute('data-expanded', 'true');
    await userEvent.click(within(sidebar()!).getByRole('button', { name: flights.name }));
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(controlled).toHaveAttribute('data-expanded', 'false');
  });

  it.each([
    ['Acme', 'A'],
    ['🏢 Acme', '🏢'],
  ])(
    'the navigation bar has the user’s name and the first character of the organization %s',
    async (name, initial) => {
      const organization = { ...portalSession.organization, name };
      await openViewer({ ...portalSession, organization }).start();
      const navbar = within(screen.getByRole('banner'));
      expect(navbar.getByText('Wendy West')).toBeVisible();
      expect(navbar.getByText(initial)).toHaveAttribute('aria-hidden', 'true');
    },
  );

  it('reports of one workspace are in alphabetical order, in the sidebar and on the overview', async () => {
    const named = (name: string) => ({ ...sales, id: name, name, description: null });
    const reports = [named('Costs'), named('Arrivals'), named('Budget'), flights];
    await openViewer({ ...portalSession, reports }).start();
    for (const place of [within(sidebar()!), main()]) {
      const list = within(place.getByRole('list', { name: 'Retail' }));
      const entries = list.getAllByRole('button', { name: /^(?!Favorite)/ });
      expect(entries.map((entry) => entry.textContent)).toEqual(['Arrivals', 'Budget', 'Costs']);
    }
    const headings = main().getAllByRole('heading', { level: 2 });
    expect(headings.map((heading) => heading.textContent)).toEqual(['Aviation', 'Retail']);
  });

  it('the sidebar links to the overview, and the entry of the open report does nothing', async () => {
    const page = openViewer(portalSession);
    await page.start();
    const entries = within(sidebar()!);
    const overview = entries.getByRole('button', { name: 'Overview' });
    expect(overview).toHaveAttribute('aria-current', 'page');
    await userEvent.click(overview);
    expect(page.api.listReports).not.toHaveBeenCalled();
    await userEvent.click(entries.getByRole('button', { name: sales.name }));
    await userEvent.click(entries.getByRole('button', { name: sales.name }));
    expect(page.api.viewReport).toHaveBeenCalledOnce();
    await userEvent.click(overview);
    expect(main().getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
    expect(document.title).toBe('Acme');
    expect(page.api.listReports).toHaveBeenCalledOnce();
  });

  it('a card has the description of its report, if there is one', async () => {
    await openViewer(portalSession).start();
    const cards = document.querySelectorAll('.card');
    expect([...cards].map((card) => card.textContent)).toEqual([
      flights.name,
      `${sales.name}${sales.description}`,
    ]);
    expect(document.querySelectorAll('.card-description')).toHaveLength(1);
  });

  it('an overview with reports has no text about missing reports', async () => {
    await openViewer(portalSession).start();
    expect(main().queryByRole('heading', { name: 'No reports' })).toBeNull();
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('a report that the reader opens gets the focus without being scrolled to', async () => {
    await openViewer(portalSession).start();
    const focus = vi.spyOn(screen.getByRole('main'), 'focus');
    await userEvent.click(main().getByRole('button', { name: new RegExp(`^${flights.name}`) }));
    expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
    expect(screen.getByRole('main')).toHaveAttribute('tabindex', '-1');
  });

  it('the heading and the title have the name of a report while it loads', async () => {
    const page = openViewer(portalSession);
    await page.start();
    page.api.viewReport.mockReturnValue(new Promise(() => {}));
    await userEvent.click(main().getByRole('button', { name: new RegExp(`^${flights.name}`) }));
    expect(main().getByRole('heading', { level: 1, name: flights.name })).toBeVisible();
    expect(document.title).toBe(flights.name);
  });
});

it('the service draws the numbers of a report in the language of the reader', () => {
  const page = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => page.remove());
  const session = { ...reportSession, view: salesView };
  page.innerHTML = renderFirstPage(session, german, ['de-DE', 'en']);
  const shown = within(page);
  expect(shown.getByRole('region', { name: 'Total sales' })).toHaveTextContent(/725\.458\s\$/);
  expect(shown.getByRole('button', { name: 'Aktualisieren' })).toBeEnabled();
  expect(page.querySelector('.report')).toHaveAttribute('aria-busy', 'false');
});

describe('a page of one report', () => {
  it('has no sidebar', async () => {
    await openViewer(reportSession).start();
    expect(main().getByText('$725,458')).toBeVisible();
    expect(sidebar()).toBeNull();
  });

  it.each([hide({ hideSidebar: true }), hideAll])(
    'has no link to the overview: %j',
    async (display) => {
      await openViewer({ ...reportSession, display }).start();
      expect(main().getByText('$725,458')).toBeVisible();
      expect(screen.queryByRole('button', { name: 'All reports' })).toBeNull();
      expect(document.querySelector('.report-back')).toBeNull();
    },
  );

  it('shows name, description and filters, and refreshes on demand', async () => {
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
    const chips = main().getByRole('list', { name: 'Active filters' });
    expect(chips).toHaveTextContent('Region West or East');
    expect(chips).not.toHaveTextContent('Planet');
    expect(main().getByRole('note')).toHaveTextContent('Not applied: Planet.');
    await userEvent.click(main().getByRole('button', { name: 'Refresh' }));
    expect(api.viewReport).toHaveBeenCalledTimes(2);
  });

  it('unapplied filters are named even if the menu is hidden', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, unappliedFilters: ['Planet'] });
    await openViewer({ ...reportSession, display: hideAll }, api).start();
    expect(main().getByRole('note')).toHaveTextContent('Not applied: Planet.');
  });

  it('an empty result shows "No rows" instead of tiles', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({ ...salesView, rowCount: 0 });
    await openViewer(reportSession, api).start();
    expect(main().getByRole('heading', { name: 'No rows' })).toBeVisible();
    expect(main().queryByText('Total sales')).toBeNull();
    expect(main().queryByRole('figure')).toBeNull();
  });

  it('loading and completion are announced to screen readers', async () => {
    const page = openViewer(reportSession);
    const announcement = screen.getByRole('status');
    expect(announcement).toHaveTextContent('Loading…');
    await page.start();
    expect(announcement).toHaveTextContent('Superstore sales is up to date');
    act(page.viewer.refresh);
    expect(announcement).toHaveTextContent('Loading…');
    await page.refresh();
    expect(announcement).toHaveTextContent('Superstore sales is up to date');
  });

  it('does not take the focus when it opens', async () => {
    await openViewer(reportSession).start();
    expect(document.body).toHaveFocus();
  });
});

describe('display flags', () => {
  /** A report of the whole portal. */
  const openSales = (flags: Partial<typeof portalSession.display>) =>
    openViewer({ ...portalSession, display: hide(flags) }).start(viewOf(sales));

  it('hideNavbar hides the navigation bar and nothing else', async () => {
    await openSales({ hideNavbar: true });
    expect(screen.queryByText('west@acme.example')).toBeNull();
    expect(sidebar()).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  });

  it('hideSidebar hides the sidebar and nothing else', async () => {
    await openSales({ hideSidebar: true });
    expect(sidebar()).toBeNull();
    expect(screen.getByText('west@acme.example')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  });

  it('hideMenu hides the menu bar and nothing else', async () => {
    await openSales({ hideMenu: true });
    expect(screen.queryByRole('button', { name: 'Refresh' })).toBeNull();
    expect(screen.queryByText('Order lines of a retailer')).toBeNull();
    expect(sidebar()).toBeVisible();
    expect(screen.getByText('west@acme.example')).toBeVisible();
    expect(main().getByRole('heading', { level: 1, name: sales.name })).toBeInTheDocument();
  });
});
